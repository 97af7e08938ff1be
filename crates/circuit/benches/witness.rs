//! Witnesses of BLAKE2s compressions and of smaller circuits, and the walks over the constraint matrices.
//!
//! Knob `CIRCUIT_LOG_N`: log2 of the number of instances.

use bench::{Target, Work};
use circuit::clock::fill_three;
use circuit::gadgets::Number;
use circuit::{Builder, Circuit, blake2s, clock};
use primitives::field::E;

fn main() {
    let mut target = Target::from_args("witness");
    let instances = 1 << target.size("CIRCUIT_LOG_N", 12, 1);
    let work = Work::PerCall {
        calls: instances,
        what: "instance",
    };

    let compression = blake2s::compression();
    let mut blocks = blocks(&compression, instances);
    target.case("blake2s by words", work, || blake2s::fill(&mut blocks));
    target.case("blake2s by the walk", work, || compression.fill(&mut blocks));

    let clock = clock::circuit(&clock::THREE);
    let mut blocks = self::blocks(&clock, instances);
    target.case("clock by words", work, || fill_three(&mut blocks));
    for (name, circuit) in [("adder", adder()), ("clock", clock), ("multiplier", multiplier())] {
        let mut blocks = self::blocks(&circuit, instances);
        target.case(&format!("{name} by the walk"), work, || circuit.fill(&mut blocks));
    }

    let one_call = Work::PerCall {
        calls: 1,
        what: "walk",
    };
    let weights: Vec<E> = (0..1_u64 << 14)
        .map(|p| E::from_words([p, !p, p << 32]))
        .collect();
    let [mut a, mut b] = [weights.clone(), weights.clone()];
    target.case("blake2s forward", one_call, || {
        compression.forward(&weights, &mut a, &mut b);
    });
    target.case("blake2s backward", one_call, || {
        compression.backward(&weights, &b, &mut a);
    });
    target.case("blake2s built", one_call, blake2s::compression);
    target.finish();
}

/// Blocks whose inputs are written, of a prime period so that no two neighbours are alike.
fn blocks(circuit: &Circuit, instances: usize) -> Vec<u64> {
    let words = 0..(instances * circuit.block_words()) as u64;
    let mut blocks: Vec<u64> = words
        .map(|i| (i % 251).wrapping_mul(0x9e37_79b9_7f4a_7c15))
        .collect();
    for block in blocks.chunks_mut(circuit.block_words()) {
        (0..circuit.inputs()).for_each(|input| block[input] &= circuit.input_mask(input));
    }
    blocks
}

fn adder() -> Circuit {
    let mut builder = Builder::new();
    let (p, q) = (builder.input(), builder.input());
    let sum = builder.add(&p, &q);
    builder.output(&sum);
    builder.build()
}

fn multiplier() -> Circuit {
    let mut builder = Builder::new();
    let (p, q) = (builder.input(), builder.input());
    let product = builder.multiply(Number::unsigned(&p), Number::unsigned(&q), 64);
    builder.output(&product);
    builder.build()
}
