//! The blocks of clock circuits, computed on words.

use super::{CYCLE, FAILURE, LIVE};
use super::{EIGHTEEN, THREE};
use crate::fields::{Fields, carry_products};

/// The block of [`circuit`](super::circuit) of [`THREE`] slots: the words that
/// [`Circuit::block`](crate::Circuit::block) gives.
#[inline(always)]
#[must_use]
pub fn block_of_three(ts: u64, prev: [u64; 3]) -> [u64; 8] {
    let [a, b, c] = prev;
    block(THREE, ts, prev, |step| Fields::after(&[ts, a, b, c, step]))
}

/// The block of [`circuit`](super::circuit) of [`EIGHTEEN`] slots: the words that
/// [`Circuit::block`](crate::Circuit::block) gives.
#[must_use]
pub fn block_of_eighteen(ts: u64, prev: [u64; 18]) -> [u64; 32] {
    block(EIGHTEEN, ts, prev, |step| {
        let mut ports = [ts; 20];
        ports[1..19].copy_from_slice(&prev);
        ports[19] = step;
        Fields::after(&ports)
    })
}

/// The block for the ports that `ports` makes of `step`.
#[inline(always)]
fn block<const SLOTS: usize, const WORDS: usize>(
    slots: [u64; SLOTS],
    ts: u64,
    prev: [u64; SLOTS],
    ports: impl Fn(u64) -> Fields<WORDS>,
) -> [u64; WORDS] {
    const BELOW_LIVE: u64 = (1 << LIVE) - 1;
    let live = ts >> LIVE & 1;

    // Bit k: whether access k comes after what it replaces; whether both are live, or both not.
    let (mut before, mut same_life) = (0, 0);
    let mut products = [(0, 0); SLOTS];
    for k in 0..SLOTS {
        let (a, b) = (!prev[k] & BELOW_LIVE, (ts ^ slots[k]) & BELOW_LIVE);
        // Bit i is the carry into bit i of the sum whose carry out says `prev < ts ^ k`.
        let carries = a ^ b ^ (a + b);
        before |= (carries >> LIVE) << k;
        same_life |= (!(prev[k] >> LIVE ^ live) & 1) << k;
        // Bits of a constant: up to its lowest set bit no carry is a product.
        let first = match slots[k] {
            0 => CYCLE,
            slot => slot.trailing_zeros() as usize + 1,
        };
        let field = (carry_products(carries) & BELOW_LIVE) >> first;
        products[k] = (field, LIVE - first);
    }

    let cycle = ts & BELOW_LIVE & !((1 << CYCLE) - 1);
    let carries = cycle ^ (cycle + (live << CYCLE));
    let overflow = carries >> LIVE;

    // The conjunctions of the first bits of a list, as a word.
    let conjunctions = |bits: u64| (1 << bits.trailing_ones()) - 1;
    let all_before: u64 = conjunctions(before);
    let late = live & !(all_before >> (SLOTS - 1));
    let fine: u64 = conjunctions(same_life | (late ^ 1) << SLOTS | (overflow ^ 1) << (SLOTS + 1));
    let failure = fine >> (SLOTS + 1) ^ 1;

    let mut fields = ports(carries & BELOW_LIVE | failure << FAILURE);
    for (field, bits) in products {
        fields.push(field, bits);
    }
    fields.push(overflow, 1);
    fields.push(all_before >> 1, SLOTS - 1);
    fields.push(late, 1);
    fields.push(fine >> 1, SLOTS + 1);
    fields.finish()
}
