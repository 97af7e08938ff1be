//! Witnesses of BLAKE2s compressions and of additions, and the walks over the constraint matrices.
//!
//! Knob `CIRCUIT_LOG_N`: log2 of the number of instances.

use bench::{Target, Work};
use circuit::{Builder, Circuit, blake2s};
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

    let adder = adder();
    let mut blocks = self::blocks(&adder, instances);
    target.case("adder by the walk", work, || adder.fill(&mut blocks));

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
    let words = instances * circuit.block_words();
    (0..words as u64)
        .map(|i| (i % 251).wrapping_mul(0x9e37_79b9_7f4a_7c15))
        .collect()
}

fn adder() -> Circuit {
    let mut builder = Builder::new();
    let (p, q) = (builder.input(), builder.input());
    let sum = builder.add(&p, &q);
    builder.output(&sum);
    builder.build()
}
