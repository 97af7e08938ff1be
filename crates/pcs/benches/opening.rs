//! Commitment, opening and verification of a stack with claims of every kind, and the size of the proof.
//!
//! `PCS_LOG_N`: log2 of the committed words; `PCS_LOG_INV_RATE`: log2 of the inverse rate; `PCS_LOG_LANES`: log2 of the
//! lanes, 6 being those of the table. All are lists.

use bench::{Spans, Target, Work, peak_memory_bytes};
use fiat_shamir::{Channel, Kind, Native, Proof, Prover};
use pcs::commit::{Oracle, commit};
use pcs::parameters::Parameters;
use pcs::stack::{Claims, Column, Family, Member, PointRef, Region, Statement, prove, verify};
use pcs::whir::prove::stack_shape;
use primitives::field::{E, K};
use primitives::multilinear::{SplitEq, evaluate};
use primitives::pool;

fn main() {
    let mut target = Target::from_args("opening");
    let spans = Spans::record().expect("no other subscriber");
    let rates = target.sizes("PCS_LOG_INV_RATE", &[1], &[1]);
    let lanes = target.sizes("PCS_LOG_LANES", &[6], &[6]);
    for log_n in target.sizes("PCS_LOG_N", &[22], &[15]) {
        for &log_inv_rate in &rates {
            for &log_lanes in &lanes {
                let parameters = Parameters::derived(log_n, log_inv_rate, log_lanes);
                opening(
                    &mut target,
                    &spans,
                    &parameters.expect("a size and a rate of the table"),
                );
            }
        }
    }
    target.finish();
}

fn opening(target: &mut Target, spans: &Spans, parameters: &Parameters) {
    let (log_n, log_inv_rate) = (parameters.log_words(), parameters.log_inv_rate());
    let lanes = 1 << parameters.log_lanes();
    let suffix = format!("2^{log_n} words, rate 2^-{log_inv_rate}, {lanes} lanes");
    let stack: Vec<K> = (0..1u64 << log_n)
        .map(|i| K(i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).square())
        .collect();
    let statement = statement(&stack, log_n);
    let shape = stack_shape(parameters, lanes);
    let words = Work::Items {
        items: 1 << log_n,
        what: "words",
    };
    target.case(&format!("commit {suffix}"), words, || {
        pool::install(|| commit(&stack, &shape))
    });
    let oracle = commit(&stack, &shape);
    let before = peak_memory_bytes();
    target.case(&format!("open {suffix}"), words, || {
        open(parameters, &stack, &oracle, &statement)
    });
    if !target.runs_once() {
        let per_word = peak_memory_bytes().saturating_sub(before) as f64 / (1u64 << log_n) as f64;
        if let Some(last) = spans.take().last() {
            print!("{last}");
        }
        println!("memory of open {suffix} : {per_word:.1} bytes a word");
    }

    let proof = open(parameters, &stack, &oracle, &statement);
    println!(
        "proof size {suffix} : {:.1} KiB",
        proof.encode().len() as f64 / 1024.0
    );
    println!(
        "leaves, paths and caps {suffix} : {} compressions",
        compressions(parameters)
    );
    target.case(
        &format!("verify {suffix}"),
        Work::PerCall {
            calls: 1,
            what: "proof",
        },
        || {
            check(parameters, &proof, &statement);
        },
    );
}

/// The compressions that check all queries one by one, each path from its leaf to the cap, as a verifier in rows does.
fn compressions(parameters: &Parameters) -> usize {
    let levels = parameters.levels().iter().enumerate();
    levels
        .map(|(i, level)| {
            let words = if i == 0 { 1 } else { 3 } << level.log_fold;
            let log_cap = level.plan.log_strata();
            level.plan.count() * (words / 8 + level.log_leaves() - log_cap) + (1 << log_cap) - 1
        })
        .sum()
}

/// Packed bits in three quarters of the stack, in two families at different points; columns in the rest, one
/// of them claimed twice, and two words of every block of one.
fn statement(stack: &[K], log_n: usize) -> Statement<E> {
    let scalar = |i: u64| E::from_words([i, i.wrapping_mul(0x9e37_79b9_7f4a_7c15), i << 40]).square();
    let points: Vec<Vec<E>> = (1..4)
        .map(|p| (0..log_n as u64).map(|i| scalar(1000 * p + i)).collect())
        .collect();
    let at = |index, variables| PointRef { index, variables };
    let half = Region {
        offset: 0,
        log_words: log_n - 1,
    };
    let quarter = Region {
        offset: 1 << (log_n - 1),
        log_words: log_n - 2,
    };
    let family = |region: Region, index| {
        let point = at(index, region.log_words);
        let slices = slices(&stack[region.range()], &points[index][..region.log_words]);
        Family {
            members: vec![Member {
                region,
                point,
                weight: None,
            }],
            slices,
        }
    };
    let families = vec![family(half, 0), family(quarter, 1)];
    let column = |region: Region, log_block: usize, word: usize, index: usize| {
        let point = at(index, region.log_words - log_block);
        let blocks = stack[region.range()].chunks(1 << log_block);
        let words: Vec<K> = blocks.map(|block| block[word]).collect();
        let value = evaluate(&words, &points[index][..point.variables]);
        Column {
            region,
            log_block,
            word,
            point,
            value,
        }
    };
    let sixteenths = (12..16).map(|i| Region {
        offset: i << (log_n - 4),
        log_words: log_n - 4,
    });
    let mut columns: Vec<_> = sixteenths.map(|region| column(region, 0, 0, 2)).collect();
    columns.push(column(columns[0].region, 0, 0, 1));
    columns.push(column(quarter, 8, 0, 2));
    columns.push(column(quarter, 8, 3, 2));
    Statement::new(
        log_n,
        Claims {
            points,
            families,
            columns,
        },
    )
    .expect("claims that fit")
}

fn slices(words: &[K], point: &[E]) -> Vec<E> {
    let eq = SplitEq::new(point, E::ONE, 10);
    let mut slices = vec![E::ZERO; 64];
    for (u, word) in words.iter().enumerate() {
        let weight = eq.get(u);
        for (i, slice) in slices.iter_mut().enumerate() {
            if word.0 >> i & 1 == 1 {
                *slice += weight;
            }
        }
    }
    slices
}

fn open(parameters: &Parameters, stack: &[K], oracle: &Oracle<K>, statement: &Statement<E>) -> Proof {
    pool::install(|| {
        let _opening = tracing::info_span!("opening").entered();
        let mut prover = Prover::new(Kind::Opening, Vec::new());
        prover.send_digest(oracle.root());
        for family in statement.families() {
            prover.send_scalars(&family.slices);
        }
        for column in statement.columns() {
            prover.send_scalar(column.value);
        }
        prove::prove(&mut prover, parameters, stack, oracle, statement);
        prover.finish().0
    })
}

fn check(parameters: &Parameters, proof: &Proof, statement: &Statement<E>) {
    let arith = Native::new(proof);
    let mut channel = Channel::new(&arith, Kind::Opening, &[]);
    let root = channel.read_digest().expect("a root");
    let values = 64 * statement.families().len() + statement.columns().len();
    channel.read_scalars(values).expect("the claims");
    let placed = 1 << parameters.log_words();
    verify::verify(&mut channel, parameters, root, placed, statement).expect("an honest proof");
    channel.finish().expect("no message left");
}
