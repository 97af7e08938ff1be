//! Any bytes as the proof of a batch give an error, and so does a changed honest one.

#![no_main]

use std::sync::LazyLock;

use circuit::{Builder, Circuit};
use fiat_shamir::proof::header;
use fiat_shamir::{Channel, Kind, Native, Proof, Prover, VerifyError};
use flock::prove::{Witness, prove};
use flock::{Batch, Part, Reduction, check_deferred, verify_core};
use libfuzzer_sys::fuzz_target;
use primitives::field::{E, K};

/// Two sizes of blocks, one of them twice: two groups.
static CIRCUITS: LazyLock<[Circuit; 2]> = LazyLock::new(|| {
    let mut adder = Builder::new();
    let (p, q) = (adder.input(), adder.input());
    let sum = adder.add(&p, &q);
    adder.output(&sum);
    let mut halves = Builder::new();
    let p = halves.input();
    let product = halves.and_words(&p[..32], &p[32..]);
    let number = halves.output(&product);
    halves.constant_at(number, 63);
    [adder.build(), halves.build()]
});

static BATCH: LazyLock<Batch<'static>> = LazyLock::new(|| {
    let part = |circuit: usize, log_instances| Part {
        circuit: &CIRCUITS[circuit],
        log_instances,
    };
    Batch::new(&[part(0, 5), part(1, 7), part(0, 6)]).unwrap()
});

/// The file of an honest proof and what it leaves.
static HONEST: LazyLock<(Vec<u8>, Reduction<E>)> = LazyLock::new(|| {
    let mut seed = 1u64;
    let witnesses: Vec<Vec<K>> = (BATCH.members().iter())
        .map(|member| {
            let circuit = BATCH.groups()[member.group].circuit;
            let mut blocks = vec![0; 1 << member.log_words];
            for block in blocks.chunks_mut(circuit.block_words()) {
                for (input, word) in block.iter_mut().enumerate().take(circuit.inputs()) {
                    seed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1);
                    *word = seed & circuit.input_mask(input);
                }
            }
            circuit.fill(&mut blocks);
            blocks.into_iter().map(K).collect()
        })
        .collect();
    let witnesses: Vec<Witness<'_>> = witnesses
        .iter()
        .map(|words| Witness {
            words,
            live: usize::MAX,
        })
        .collect();
    let mut prover = Prover::new(Kind::Opening, Vec::new());
    let reduction = prove(&mut prover, &BATCH, &witnesses);
    (prover.finish().0.encode(), reduction)
});

fuzz_target!(|bytes: &[u8]| {
    let (honest, reduction) = &*HONEST;
    if let Ok(proof) = Proof::decode(&[&header(Kind::Opening), bytes].concat()) {
        assert!(check(&proof).is_err());
    }
    // A few bytes as changes: a position of two bytes from the end, so that what comes before is honest, then the byte
    // there.
    if bytes.len() > 12 || !bytes.len().is_multiple_of(3) {
        return;
    }
    let mut forged = honest.clone();
    for change in bytes.chunks_exact(3) {
        let at = (usize::from(change[0]) | usize::from(change[1]) << 8) % forged.len();
        let at = forged.len() - 1 - at;
        forged[at] = change[2];
    }
    if let Ok(proof) = Proof::decode(&forged)
        && proof.kind == Kind::Opening
        && proof.shape.is_empty()
    {
        // What an opening would have to show is the honest claim, or it is refused before.
        let accepted = check(&proof).is_ok_and(|left| left == *reduction);
        assert_eq!(accepted, forged == *honest);
    }
});

fn check(proof: &Proof) -> Result<Reduction<E>, VerifyError> {
    let arith = Native::new(proof);
    let mut channel = Channel::new(&arith, Kind::Opening, &[]);
    let reduction = verify_core(&mut channel, &BATCH)?;
    channel.finish()?;
    check_deferred(&BATCH, &reduction.deferred)?;
    Ok(reduction)
}
