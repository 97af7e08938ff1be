//! BLAKE2s compressions proven in one batch, stage by stage, each with its own tree of spans.
//!
//! `FLOCK_N_LOG`: log2 of the compressions; `PCS_LOG_INV_RATE`: log2 of the inverse rate. Both are lists.

use bench::{Spans, Target, Work, keep_freed};
use circuit::blake2s;
use fiat_shamir::{Channel, Kind, Native, Proof, Prover};
use flock::prove::{self, Witness};
use flock::{Batch, Part, Reduction, check_deferred, verify_core};
use pcs::commit::{Oracle, commit};
use pcs::parameters::Parameters;
use pcs::stack::layout::present_lanes;
use pcs::stack::{self, Claims, Layout, Statement};
use pcs::whir::prove::stack_shape;
use primitives::field::{E, K};
use primitives::pool;
use tracing::info_span;

fn main() {
    // As the command line does.
    keep_freed();
    let mut target = Target::from_args("hash_batch");
    let spans = Spans::record().expect("no other subscriber");
    let rates = target.sizes("PCS_LOG_INV_RATE", &[1], &[1]);
    for log_instances in target.sizes("FLOCK_N_LOG", &[15], &[7]) {
        for &log_inv_rate in &rates {
            compressions(&mut target, &spans, log_instances, log_inv_rate);
        }
    }
    target.finish();
}

fn compressions(target: &mut Target, spans: &Spans, log_instances: usize, log_inv_rate: usize) {
    let suffix = format!("2^{log_instances} compressions, rate 2^-{log_inv_rate}");
    let circuit = blake2s::compression();
    let part = Part {
        circuit: &circuit,
        log_instances,
    };
    let batch = Batch::new(&[part]).expect("a batch that fits");
    let layout = Layout::new(&[batch.log_words()]).expect("a stack that fits");
    let parameters = layout.parameters(log_inv_rate).expect("a rate of the table");
    println!("error {suffix} : 2^-{:.1}", 192.0 - (batch.error() as f64).log2());

    let work = Work::Items {
        items: 1 << log_instances,
        what: "compressions",
    };
    let mut words = inputs(log_instances);
    let task = 64 * blake2s::BLOCK_WORDS;
    target.case(&format!("witness {suffix}"), work, || {
        pool::for_each_chunk_mut(&mut words, task, |_, blocks| blake2s::fill(blocks));
    });
    let stack: Vec<K> = words.into_iter().map(K).collect();
    let lanes = present_lanes(&parameters, layout.placed());
    let run = Run {
        batch,
        layout,
        shape: stack_shape(&parameters, lanes),
        parameters,
        stack,
    };

    target.case(&format!("commit {suffix}"), work, || {
        pool::install(|| run.commit())
    });
    target.case(&format!("zerocheck {suffix}"), work, || {
        pool::install(|| prove::zerocheck(&mut run.prover(), &run.batch, &[run.witness()]))
    });
    stages(target, spans);
    let values = prove::zerocheck(&mut run.prover(), &run.batch, &[run.witness()]);
    target.case(&format!("lincheck {suffix}"), work, || {
        pool::install(|| prove::lincheck(&mut run.prover(), &run.batch, &[run.witness()], &values))
    });
    stages(target, spans);
    let oracle = run.commit();
    target.case_with_input(
        &format!("opening {suffix}"),
        work,
        || run.reduce(&oracle),
        |(mut prover, reduction)| pool::install(|| run.open(&mut prover, &oracle, &reduction)),
    );
    stages(target, spans);
    target.case(&format!("commit to opening {suffix}"), work, || run.prove());

    let proof = run.prove();
    println!(
        "proof size {suffix} : {:.1} KiB",
        proof.encode().len() as f64 / 1024.0
    );
    let one_call = Work::PerCall {
        calls: 1,
        what: "proof",
    };
    target.case(&format!("verify {suffix}"), one_call, || run.verify(&proof));
}

/// Prints the spans of a case's last pass.
fn stages(target: &Target, spans: &Spans) {
    if let (false, Some(last)) = (target.runs_once(), spans.take().last()) {
        print!("{last}");
    }
}

/// Blocks with inputs only, of a prime period so that no two neighbours are alike.
fn inputs(log_instances: usize) -> Vec<u64> {
    let words = 0..(blake2s::BLOCK_WORDS << log_instances) as u64;
    words
        .map(|i| (i % 251).wrapping_mul(0x9e37_79b9_7f4a_7c15))
        .collect()
}

struct Run<'c> {
    batch: Batch<'c>,
    layout: Layout,
    shape: pcs::ntt::Interleaving,
    parameters: Parameters,
    stack: Vec<K>,
}

impl Run<'_> {
    fn witness(&self) -> Witness<'_> {
        Witness {
            words: &self.stack,
            live: usize::MAX,
        }
    }

    fn prover(&self) -> Prover {
        Prover::new(Kind::Opening, Vec::new())
    }

    fn commit(&self) -> Oracle<K> {
        commit(&self.stack, &self.shape)
    }

    fn reduce(&self, oracle: &Oracle<K>) -> (Prover, Reduction<E>) {
        let mut prover = self.prover();
        prover.send_digest(oracle.root());
        let reduction = prove::prove(&mut prover, &self.batch, &[self.witness()]);
        (prover, reduction)
    }

    fn open(&self, prover: &mut Prover, oracle: &Oracle<K>, reduction: &Reduction<E>) {
        let _opening = info_span!("opening").entered();
        let statement = self.statement(reduction);
        stack::prove::prove(prover, &self.parameters, &self.stack, oracle, &statement);
    }

    fn prove(&self) -> Proof {
        pool::install(|| {
            let oracle = self.commit();
            let (mut prover, reduction) = self.reduce(&oracle);
            self.open(&mut prover, &oracle, &reduction);
            prover.finish().0
        })
    }

    fn statement(&self, reduction: &Reduction<E>) -> Statement<E> {
        let claims = Claims {
            points: reduction.points.clone(),
            families: reduction.families(self.layout.regions()),
            columns: Vec::new(),
        };
        Statement::new(self.layout.log_words(), claims).expect("claims that fit")
    }

    fn verify(&self, proof: &Proof) {
        let arith = Native::new(proof);
        let mut channel = Channel::new(&arith, Kind::Opening, &[]);
        let root = channel.read_digest().expect("a root");
        let reduction = verify_core(&mut channel, &self.batch).expect("an honest proof");
        let statement = self.statement(&reduction);
        let placed = self.layout.placed();
        stack::verify::verify(&mut channel, &self.parameters, root, placed, &statement)
            .expect("an honest opening");
        channel.finish().expect("no message left");
        check_deferred(&self.batch, &reduction.deferred).expect("honest matrix values");
    }
}
