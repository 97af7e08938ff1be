//! A batch of two sizes of blocks, one of them twice: two groups.

use std::sync::LazyLock;

use circuit::{Builder, Circuit};
use fiat_shamir::{Channel, Kind, Native, Proof, Prover, VerifyError};
use flock::prove::{Witness, prove};
use flock::{Batch, Part, Reduction, check_deferred, verify_core};
use primitives::field::{E, K};

use crate::{Subject, Verifier};

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

/// The verifier of the batch, and what the honest proof leaves: what an opening would have to show is that claim.
pub struct FlockBatch(Batch<'static>, Reduction<E>);

impl Verifier for FlockBatch {
    const KIND: Kind = Kind::Opening;

    fn accepts_by(&self, _: &Proof, arith: &Native<'_>) -> bool {
        check(&self.0, arith).is_ok_and(|left| left == self.1)
    }
}

/// The batch, honest.
#[must_use]
pub fn subject() -> Subject<FlockBatch> {
    let part = |circuit: usize, log_instances| Part {
        circuit: &CIRCUITS[circuit],
        log_instances,
    };
    let batch = Batch::new(&[part(0, 5), part(1, 7), part(0, 6)]).unwrap();
    let mut seed = 1u64;
    let witnesses: Vec<Vec<K>> = (batch.members().iter())
        .map(|member| {
            let circuit = batch.groups()[member.group].circuit;
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
    let reduction = prove(&mut prover, &batch, &witnesses);
    Subject::new(FlockBatch(batch, reduction), prover.finish().0)
}

fn check(batch: &Batch<'_>, arith: &Native<'_>) -> Result<Reduction<E>, VerifyError> {
    let mut channel = Channel::new(arith, Kind::Opening, &[]);
    let reduction = verify_core(&mut channel, batch)?;
    channel.finish()?;
    check_deferred(batch, &reduction.deferred)?;
    Ok(reduction)
}
