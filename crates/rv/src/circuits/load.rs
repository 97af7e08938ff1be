//! Loads of one, two or four bytes. Inputs v1, the entry's immediate (12 bits, then the flags wide, four,
//! signed), and the cell's word. Outputs: the address for the bus, and the value.
//!
//! The address for the bus is that of the cell where the access is aligned: bits 0 to 2 of the sum are cleared.
//! A bit that must be zero for alignment is put back, so a misaligned access names an address at which no cell
//! is. Given alignment, bit 2 of the sum selects four bytes, bit 1 moves only two and bit 0 only one.

use alloc::vec::Vec;

use circuit::fields::{Fields, carry_products};
use circuit::gadgets::extend;
use circuit::{Builder, Circuit, Wire};

use super::sign_extend;
use crate::isa::{FOUR, SIGNED, WIDE};

pub(super) fn circuit() -> Circuit {
    let mut b = Builder::new();
    let v1 = b.input();
    let imm = b.input_with_bits(0x7fff);
    let cell = b.input();
    let (wide, four, signed) = (imm[12], imm[13], imm[14]);

    let (address, place) = address(&mut b, &v1, &imm);
    b.output(&address);

    let (low, high) = cell.split_at(32);
    let mut word = b.mux_words(place[2], high, low);
    let half = b.mux_words(place[1], &word[16..], &word[..16]);
    word.splice(..16, half);
    let byte = b.mux_words(place[0], &word[8..16], &word[..8]);
    word.splice(..8, byte);

    // The top bit of the access, then that bit or zero above it.
    let top = b.mux(wide, word[15], word[7]);
    let top = b.mux(four, word[31], top);
    let fill = b.and(signed, top);
    let mut value = word[..8].to_vec();
    value.extend(word[8..16].iter().map(|&bit| b.mux(wide, bit, fill)));
    value.extend(word[16..].iter().map(|&bit| b.mux(four, bit, fill)));
    b.output(&extend(&value, 64, fill));
    b.build()
}

/// The address for the bus, and the three lowest bits of the sum of `v1` and the immediate.
pub(super) fn address(b: &mut Builder, v1: &[Wire], imm: &[Wire]) -> (Vec<Wire>, Vec<Wire>) {
    let offset = extend(&imm[..12], 64, imm[11]);
    let sum = b.add(v1, &offset);
    let mut address = sum.clone();
    address[0] = b.and(sum[0], imm[12]);
    address[1] = b.and(sum[1], imm[13]);
    address[2] = Wire::ZERO;
    (address, sum[..3].to_vec())
}

/// The address that an access of LOAD or STORE has on the bus: the cell's, or for a misaligned access one that
/// is no cell's. `imm` is the entry's immediate with its flags.
#[must_use]
pub const fn bus_address(v1: u64, imm: u64) -> u64 {
    let sum = v1.wrapping_add(sign_extend(imm, 12));
    let unaligned = if imm & FOUR != 0 {
        3
    } else if imm & WIDE != 0 {
        1
    } else {
        0
    };
    sum & !7 | sum & unaligned
}

/// Where an access is misaligned, what the circuit gives as the value is of no meaning: here it is what the
/// selections by single bits give.
pub(super) const fn reference(v1: u64, imm: u64, cell: u64) -> [u64; 2] {
    let sum = v1.wrapping_add(sign_extend(imm, 12));
    let word = cell >> (8 * (sum & 4)) & 0xffff_ffff;
    let half = word >> (8 * (sum & 2)) & 0xffff;
    let byte = half >> (8 * (sum & 1)) & 0xff;
    let (value, width) = if imm & FOUR != 0 {
        (word & !0xffff | half & !0xff | byte, 32)
    } else if imm & WIDE != 0 {
        (half & !0xff | byte, 16)
    } else {
        (byte, 8)
    };
    let value = if imm & SIGNED != 0 {
        sign_extend(value, width)
    } else {
        value
    };
    [bus_address(v1, imm), value]
}

/// The block of [`Shape::Load`](super::Shape): the words that [`Circuit::block`] gives for these inputs.
#[inline(always)]
#[must_use]
pub fn block(v1: u64, imm: u64, cell: u64) -> [u64; 8] {
    let (wide, four, signed) = (imm >> 12 & 1, imm >> 13 & 1, imm >> 14 & 1);
    let (address, place, products) = address_words(v1, imm);
    let [s0, s1, s2] = place;

    let high = select(s2, (cell ^ cell >> 32) & 0xffff_ffff);
    let word = cell & 0xffff_ffff ^ high;
    let half = select(s1, (word ^ word >> 16) & 0xffff);
    let word = word ^ half;
    let byte = select(s0, (word ^ word >> 8) & 0xff);
    let word = word ^ byte;

    let second = wide & (word >> 15 ^ word >> 7);
    let top = second ^ word >> 7 & 1;
    let fourth = four & (word >> 31 ^ top);
    let top = fourth ^ top;
    let fill = (signed & top).wrapping_neg();
    let above_first = select(wide, (word ^ fill) >> 8 & 0xff);
    let above_second = select(four, (word ^ fill) >> 16 & 0xffff);
    let value = word & 0xff | (fill << 8 ^ above_first << 8 ^ above_second << 16) & !0xff;

    let mut fields = Fields::after(&[v1, imm, cell, address, value]);
    fields.push(products, 63);
    fields.push(high, 32);
    fields.push(half, 16);
    fields.push(byte, 8);
    fields.push(second, 1);
    fields.push(fourth, 1);
    fields.push(above_first, 8);
    fields.push(above_second, 16);
    fields.finish()
}

/// The word if the bit is set, and zero if not.
#[inline(always)]
pub(super) const fn select(bit: u64, word: u64) -> u64 {
    bit.wrapping_neg() & word
}

/// The address for the bus, the three lowest bits of the sum, and the products of its carries.
#[inline(always)]
pub(super) const fn address_words(v1: u64, imm: u64) -> (u64, [u64; 3], u64) {
    let offset = sign_extend(imm, 12);
    let sum = v1.wrapping_add(offset);
    let products = carry_products(v1 ^ offset ^ sum) & u64::MAX >> 1;
    // Bits 12 and 13 of the immediate belong to bits 0 and 1 of the sum.
    let address = sum & !7 | sum & imm >> 12 & 3;
    (address, [sum & 1, sum >> 1 & 1, sum >> 2 & 1], products)
}
