//! Stores of one, two or four bytes. Inputs v1, v2, the entry's immediate (12 bits, then the flags wide and
//! four), and the cell's word. Outputs: the address for the bus, as in LOAD, and the change `cell + cell'`.
//!
//! The products of the change, byte enabled times bit changed, stand straight at the output port.

use circuit::fields::Fields;
use circuit::{Builder, Circuit, Wire};

use super::load::{address, address_words, bus_address, select};
use super::sign_extend;
use crate::isa::{FOUR, WIDE};

pub(super) fn circuit() -> Circuit {
    let mut b = Builder::new();
    let (v1, v2) = (b.input(), b.input());
    let imm = b.input_with_bits(0x3fff);
    let cell = b.input();
    let (wide, four) = (imm[12], imm[13]);

    let (address, place) = address(&mut b, &v1, &imm);
    b.output(&address);

    // The value repeated over four bytes: of one byte each is the first, of two every other.
    let mut value = v2[..32].to_vec();
    let second = b.mux_words(wide, &v2[8..16], &v2[..8]);
    let third = b.mux_words(four, &v2[16..24], &v2[..8]);
    let fourth = b.mux_words(four, &v2[24..32], &second);
    value.splice(8.., second.into_iter().chain(third).chain(fourth));

    // Byte k is written if each bit of its number agrees with the address or lies inside the access. The bits
    // of the address that a wide access must not have stand in `address`: the products serve twice.
    let even = b.xor_all([Wire::ONE, place[0], address[0]]);
    let odd = b.xor_all([place[0], wide, address[0]]);
    let first = b.xor_all([Wire::ONE, place[1], address[1]]);
    let last = b.xor_all([place[1], four, address[1]]);
    let mut change = [Wire::ZERO; 64];
    for (k, (pair, byte)) in [(first, even), (first, odd), (last, even), (last, odd)]
        .into_iter()
        .enumerate()
    {
        let enabled = b.and(pair, byte);
        let high = b.and(enabled, place[2]);
        let low = b.xor(enabled, high);
        for (enabled, from) in [(low, 8 * k), (high, 8 * k + 32)] {
            for bit in 0..8 {
                let difference = b.xor(cell[from + bit], value[8 * k + bit]);
                change[from + bit] = b.and(enabled, difference);
            }
        }
    }
    b.output(&change);
    b.build()
}

/// Where an access is misaligned, the circuit's change is of no meaning: here it is what its enables give.
pub(super) fn reference(v1: u64, v2: u64, imm: u64, cell: u64) -> [u64; 2] {
    let sum = v1.wrapping_add(sign_extend(imm, 12));
    let width = if imm & FOUR != 0 {
        4
    } else if imm & WIDE != 0 {
        2
    } else {
        1
    };
    let mut new = cell.to_le_bytes();
    for (k, byte) in new.iter_mut().enumerate() {
        // A bit of the byte's number below the width is free.
        if (k as u64 ^ sum) & 7 & !(width - 1) == 0 {
            *byte = v2.to_le_bytes()[k % width as usize];
        }
    }
    [bus_address(v1, imm), cell ^ u64::from_le_bytes(new)]
}

/// The block of [`Shape::Store`](super::Shape): the words that [`Circuit::block`] gives for these inputs.
#[inline(always)]
#[must_use]
pub fn block(v1: u64, v2: u64, imm: u64, cell: u64) -> [u64; 8] {
    let (wide, four) = (imm >> 12 & 1, imm >> 13 & 1);
    let (address, [s0, s1, s2], products) = address_words(v1, imm);

    let second = select(wide, (v2 ^ v2 >> 8) & 0xff);
    let third = select(four, (v2 ^ v2 >> 16) & 0xff);
    let second_byte = v2 & 0xff ^ second;
    let fourth = select(four, (v2 >> 24 ^ second_byte) & 0xff);
    let value = v2 & 0xff | second_byte << 8 | (v2 & 0xff ^ third) << 16 | (second_byte ^ fourth) << 24;

    let even = 1 ^ s0 ^ address & 1;
    let odd = s0 ^ wide ^ address & 1;
    let first = 1 ^ s1 ^ address >> 1 & 1;
    let last = s1 ^ four ^ address >> 1 & 1;
    let (mut enables, mut mask) = (0, 0);
    for (k, enabled) in [first & even, first & odd, last & even, last & odd]
        .into_iter()
        .enumerate()
    {
        let high = enabled & s2;
        enables |= (enabled | high << 1) << (2 * k);
        mask |= select(enabled ^ high, 0xff) << (8 * k) | select(high, 0xff) << (8 * k + 32);
    }
    let change = mask & (cell ^ (value | value << 32));

    let mut fields = Fields::after(&[v1, v2, imm, cell, address, change]);
    fields.push(products, 63);
    fields.push(second, 8);
    fields.push(third, 8);
    fields.push(fourth, 8);
    fields.push(enables, 8);
    fields.finish()
}
