//! The clock circuits: that the accesses of a row come after those that they refer to, and the time of the next row.
//!
//! A clock is an integer below 2^41: bit 40 the *live* bit, bits 5 to 39 the cycle, bits 0 to 4 the slot of an
//! access. A row has the clock `ts`, with slot 0; its access in slot k has the clock `ts ^ k`, and replaces an
//! access of clock `prev`. Ports: `ts` (bits 5 to 40), then a `prev` for each access (bits 0 to 40), then the
//! output `step`. The row of clock `ts` is followed by one of clock `ts ^ step`.
//!
//! - On a live row every `prev` is live and `prev < ts ^ k`, strictly: an access that could refer to itself
//!   would read whatever it says. Then `step` is the carries of the increment of the cycle.
//! - On a row that is not live no `prev` is live, and `step` is zero.
//! - If anything of that fails, or the cycle was the last, `step` has bit [`FAILURE`], which is in no `ts`.

use alloc::vec::Vec;

use crate::{Builder, Circuit, Wire};

mod generator;

pub use generator::{WORDS_OF_EIGHTEEN, WORDS_OF_THREE, fill_eighteen, fill_three};

/// The bit of `step` that no clock has.
pub const FAILURE: usize = 41;

/// The bit of a clock that says whether the row is live.
pub const LIVE: usize = 40;

/// The lowest bit of the cycle, above the slot.
pub const CYCLE: usize = 5;

/// The slots of a row with at most three accesses.
pub const THREE: [u64; 3] = [0, 1, 2];

/// The slots of a row with eighteen accesses.
pub const EIGHTEEN: [u64; 18] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17];

/// The clock circuit of rows with accesses in these slots: for [`THREE`] 154 ANDs in a block of 2^9, for
/// [`EIGHTEEN`] 755 in one of 2^11.
///
/// # Panics
/// If a slot has more than five bits.
#[must_use]
pub fn circuit(slots: &[u64]) -> Circuit {
    let mut b = Builder::new();
    let ts = b.input_with_bits(((1 << (LIVE + 1)) - 1) ^ ((1 << CYCLE) - 1));
    let live = ts[LIVE];
    let (mut other_life, mut not_before) = (Vec::new(), Vec::new());
    for &slot in slots {
        assert!(slot < 1 << CYCLE, "slot {slot} has {CYCLE} bits");
        let prev = b.input_with_bits((1 << (LIVE + 1)) - 1);
        let time = [&b.constant(slot, CYCLE), &ts[CYCLE..LIVE]].concat();
        let before = b.less(&prev[..LIVE], &time);
        not_before.push(b.not(before));
        other_life.push(b.xor(prev[LIVE], live));
    }
    // The carry into each bit of the cycle, and out of it.
    let mut carries = Vec::from([live]);
    for &bit in &ts[CYCLE..LIVE] {
        let carry = carries[carries.len() - 1];
        carries.push(b.and(carry, bit));
    }
    let overflow = carries.pop().expect("a carry for each bit, and one more");
    let late = b.any(&not_before);
    let late = b.and(live, late);
    other_life.extend([late, overflow]);
    let failure = b.any(&other_life);

    let mut step = b.constant(0, CYCLE);
    step.extend(carries);
    step.resize(FAILURE, Wire::ZERO);
    step.push(failure);
    b.output(&step);
    b.build()
}

/// The output of [`circuit`] on the clock of a row and, for each slot, the clock of the access before.
#[must_use]
pub fn reference(slots: &[u64], ts: u64, prev: &[u64]) -> u64 {
    let live = ts >> LIVE & 1;
    let mut accesses = slots.iter().zip(prev);
    // Both are below 2^41, and both live or not, where the comparison counts.
    let allowed = accesses.all(|(slot, prev)| prev >> LIVE & 1 == live && (live == 0 || *prev < ts ^ slot));
    let cycle = ts & !(1 << LIVE);
    let next = cycle + (live << CYCLE);
    let step = (cycle ^ next) & !(1 << LIVE);
    step | u64::from(!allowed || next >> LIVE == 1) << FAILURE
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;
    use crate::tests::{Words, assert_flips_are_refused, on_every_back_end};

    const LIVE_BIT: u64 = 1 << LIVE;

    /// Random instances of each clock circuit.
    const RANDOM: usize = 2048;

    /// Clocks of rows: first, second and last cycles, long carries, and rows that are not live.
    fn clocks() -> Vec<u64> {
        let last = (1 << 35) - 1;
        let cycles = [
            0,
            1,
            2,
            3,
            0x1f,
            0x20,
            0xffff,
            0x7_5555_5555,
            last / 2,
            last / 2 + 1,
            last - 1,
            last,
        ];
        cycles
            .iter()
            .flat_map(|cycle| [cycle << CYCLE, LIVE_BIT | cycle << CYCLE])
            .collect()
    }

    /// Clocks around that of the access itself.
    fn prevs(access: u64) -> Vec<u64> {
        let mask = 2 * LIVE_BIT - 1;
        let around =
            [0, 1, 2, 31, 32, 33, LIVE_BIT].map(|d| [access.wrapping_sub(d) & mask, (access + d) & mask]);
        let mut prevs = around.concat();
        prevs.extend([
            0,
            LIVE_BIT,
            LIVE_BIT | 17,
            mask,
            access ^ 31,
            access ^ 1,
            access ^ LIVE_BIT,
        ]);
        prevs
    }

    fn assert_agrees(slots: &[u64], instances: &[Vec<u64>]) {
        let circuit = circuit(slots);
        let words = circuit.block_words();
        let mut blocks = vec![0; words * instances.len()];
        for (block, inputs) in blocks.chunks_mut(words).zip(instances) {
            block[..inputs.len()].copy_from_slice(inputs);
        }
        let mut on_words = blocks.clone();
        circuit.fill(&mut blocks);
        // What is computed on words is what the gates give, for any number of blocks, and whatever was there.
        let fill = if slots.len() == THREE.len() {
            fill_three
        } else {
            fill_eighteen
        };
        on_every_back_end(|| {
            fill(&mut on_words);
            assert!(on_words == blocks);
            for count in 0..9 {
                fill(&mut on_words[..count * words]);
                assert!(on_words == blocks, "{count} blocks");
            }
        });
        for (block, inputs) in blocks.chunks(words).zip(instances) {
            let expected = reference(slots, inputs[0], &inputs[1..]);
            assert_eq!(block[circuit.output_word(0)], expected, "{inputs:x?}");
        }
    }

    /// For every clock and slot, all edges in that slot with honest accesses in the others, and random ones.
    fn assert_agrees_on_the_grid(slots: &[u64]) {
        let mut words = Words(9);
        let mut instances = Vec::new();
        for ts in clocks() {
            let honest: Vec<u64> = slots
                .iter()
                .map(|slot| (ts ^ slot).saturating_sub(1).max(ts & LIVE_BIT))
                .collect();
            for (index, slot) in slots.iter().enumerate() {
                for prev in prevs(ts ^ slot) {
                    let mut inputs = [&[ts][..], &honest].concat();
                    inputs[1 + index] = prev;
                    instances.push(inputs);
                }
            }
            let random = || words.word() % (2 * LIVE_BIT);
            instances.push(
                core::iter::once(ts)
                    .chain(core::iter::repeat_with(random).take(slots.len()))
                    .collect(),
            );
        }
        for _ in 0..RANDOM {
            let ts = words.word() & (2 * LIVE_BIT - 32);
            // Mostly before, by any distance.
            let mut inputs = Vec::from([ts]);
            for _ in slots {
                let shift = words.below(64);
                inputs.push(ts.saturating_sub(words.word() >> shift));
            }
            instances.push(inputs);
        }
        assert_agrees(slots, &instances);
    }

    #[test]
    fn the_sizes_of_the_clock_circuits() {
        let sizes = |slots: &[u64]| {
            let circuit = circuit(slots);
            (circuit.ands(), circuit.positions(), circuit.log_block())
        };
        assert_eq!(sizes(&THREE), (154, 441, 9));
        assert_eq!(sizes(&EIGHTEEN), (755, 2002, 11));
    }

    #[test]
    fn three_accesses_on_the_grid() {
        assert_agrees_on_the_grid(&THREE);
    }

    #[test]
    fn eighteen_accesses_on_the_grid() {
        assert_agrees_on_the_grid(&EIGHTEEN);
    }

    #[test]
    fn a_live_row_steps_to_the_next_cycle() {
        let ts = LIVE_BIT | 0x7ff << CYCLE;
        let step = circuit(&THREE).evaluate(&[ts, LIVE_BIT, ts, ts ^ 1]);
        assert_eq!(ts ^ step[0], ts + (1 << CYCLE));
    }

    #[test]
    fn a_padding_row_stays_where_it_is() {
        // Used accesses refer to themselves, unused ones to nothing.
        assert_eq!(circuit(&THREE).evaluate(&[0, 0, 1, 0]), [0]);
    }

    #[test]
    fn an_access_that_refers_to_itself_or_later_fails() {
        let circuit = circuit(&THREE);
        let ts = LIVE_BIT | 5 << CYCLE;
        for (slot, prev) in [
            (0, ts),
            (1, ts ^ 1),
            (2, ts ^ 2),
            (1, ts ^ 2),
            (2, ts + 32),
            (0, ts ^ LIVE_BIT),
        ] {
            let mut inputs = [ts, LIVE_BIT, LIVE_BIT, LIVE_BIT];
            assert_eq!(circuit.evaluate(&inputs)[0] >> FAILURE, 0);
            inputs[1 + slot] = prev;
            assert_eq!(circuit.evaluate(&inputs)[0] >> FAILURE, 1, "slot {slot}");
        }
    }

    #[test]
    fn a_block_with_a_committed_bit_flipped_is_refused() {
        let circuit = circuit(&THREE);
        let ts = LIVE_BIT | 0x123_4567 << CYCLE;
        let block = circuit.block(&[ts, LIVE_BIT, ts - 7, ts]);
        // An input flipped makes another row, which may be honest too.
        assert_flips_are_refused(&circuit, &block, 64 * circuit.inputs()..512);
        let empty = (0..256).filter(|p| circuit.input_mask(p / 64) >> (p % 64) & 1 == 0);
        assert_flips_are_refused(&circuit, &block, empty);
    }
}
