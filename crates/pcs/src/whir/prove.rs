//! The prover of an opening.

use alloc::vec::Vec;

use fiat_shamir::{Prover, Queries};
use primitives::field::{E, EWide, K};
use primitives::multilinear::eq_table;
use primitives::slices::{add_scaled, dot_e};
use primitives::{dispatch, pool};
use tracing::info_span;

use super::batch::add_query_weights;
use super::first_rounds::{FirstRounds, Strategy};
use super::rounds::Tables;
use super::weights::Weights;
use crate::commit::{Oracle, commit};
use crate::ntt::Interleaving;
use crate::parameters::{Level, Parameters};

/// The form of the stack's codeword: `present_lanes` of its lanes hold words.
#[must_use]
pub fn stack_shape(parameters: &Parameters, present_lanes: usize) -> Interleaving {
    Interleaving {
        log_message: parameters.log_lane_words(),
        log_inv_rate: parameters.log_inv_rate(),
        log_lanes: parameters.log_lanes(),
        lanes: present_lanes,
    }
}

/// Opens the weighted sum of `stack` under `weights`.
///
/// `stack`: the present lanes, and `oracle` what was committed of them.
///
/// # Transcript
/// That of [`verify`](super::verify::verify): before, the root, and all that fixes the weights and the claim.
///
/// # Panics
/// When the stack is not whole lanes, the oracle is of another shape, or the lanes are shorter than a chunk of
/// weights.
pub fn prove(
    prover: &mut Prover,
    parameters: &Parameters,
    stack: &[K],
    oracle: &Oracle<K>,
    weights: impl Weights,
) {
    prove_by(prover, parameters, stack, oracle, weights, Strategy::of_scope());
}

/// [`prove`], by a strategy for the weights.
pub(super) fn prove_by(
    prover: &mut Prover,
    parameters: &Parameters,
    stack: &[K],
    oracle: &Oracle<K>,
    weights: impl Weights,
    strategy: Strategy,
) {
    let lanes = stack.len() >> parameters.log_lane_words();
    assert_eq!(
        *oracle.shape(),
        stack_shape(parameters, lanes),
        "the oracle is another stack's"
    );
    let [first, later @ ..] = parameters.levels() else {
        return;
    };
    let mut opening = Opening::first_level(prover, stack, &weights, first, parameters.log_words(), strategy);
    // Nothing reads them again, and the next oracle wants the memory.
    drop(weights);
    match later {
        [] => opening.end(prover, parameters, |prover, queries| oracle.open(prover, queries)),
        [second, ..] => {
            let mut committed = opening.next(prover, parameters, first, second, |prover, queries| {
                oracle.open(prover, queries);
            });
            for pair in later.windows(2) {
                opening.rounds(prover, &pair[0]);
                committed = opening.next(prover, parameters, &pair[0], &pair[1], |prover, queries| {
                    committed.open(prover, queries);
                });
            }
            opening.rounds(prover, &later[later.len() - 1]);
            opening.end(prover, parameters, |prover, queries| {
                committed.open(prover, queries);
            });
        }
    }
}

/// What is left of weights and function.
struct Opening {
    tables: Tables,
    /// The message of the next round.
    message: [E; 2],
}

impl Opening {
    /// The rounds of level 0.
    fn first_level(
        prover: &mut Prover,
        stack: &[K],
        weights: &dyn Weights,
        level: &Level,
        log_words: usize,
        strategy: Strategy,
    ) -> Self {
        let mut first =
            info_span!("first pass").in_scope(|| FirstRounds::new(stack, weights, log_words, strategy));
        let challenges = core::array::from_fn(|_| {
            prover.send_scalars(&first.message());
            let c = prover.challenge();
            first.bind(c);
            c
        });
        let (tables, message) = info_span!("second pass").in_scope(|| first.fold(challenges));
        let mut opening = Self { tables, message };
        let _rounds = info_span!("rounds").entered();
        for _ in challenges.len()..level.log_fold {
            opening.round(prover);
        }
        opening.tables.shrink();
        opening
    }

    fn round(&mut self, prover: &mut Prover) {
        prover.send_scalars(&self.message);
        let c = prover.challenge();
        self.message = self.tables.bind(c);
    }

    /// The rounds of a later level.
    fn rounds(&mut self, prover: &mut Prover, level: &Level) {
        let _rounds = info_span!("rounds").entered();
        self.message = self.tables.message();
        for _ in 0..level.log_fold {
            self.round(prover);
        }
    }

    /// Commits to the folded function, answers out of domain and the queries of the level before, and batches.
    fn next(
        &mut self,
        prover: &mut Prover,
        parameters: &Parameters,
        level: &Level,
        next: &Level,
        open: impl FnOnce(&mut Prover, &Queries<bool>),
    ) -> Oracle<E> {
        let Level {
            log_message,
            log_inv_rate,
            log_fold,
            ..
        } = *next;
        let shape = Interleaving::full(log_message, log_inv_rate, log_fold);
        let oracle = info_span!("commit").in_scope(|| commit(&self.tables.f, &shape));
        prover.send_digest(oracle.root());
        let c = prover.challenge();
        let out_of_domain = info_span!("out of domain").entered();
        let powers = core::iter::successors(Some(c), |c| Some(c.square()));
        let point: Vec<E> = powers.take(next.variables()).collect();
        let eq = eq_table(&point);
        prover.send_scalar(dot(&eq, &self.tables.f));
        out_of_domain.exit();
        let queries = self.query(prover, parameters, level, open);

        let challenge = prover.challenge();
        let _weights = info_span!("weights").entered();
        pool::for_each_item(
            self.tables
                .weights
                .chunks_mut(TASK_SCALARS)
                .zip(eq.chunks(TASK_SCALARS))
                .collect(),
            |(weights, eq)| dispatch!(|be| add_scaled::<_, E>(be, weights, challenge, eq)),
        );
        self.add_queries(&queries, challenge.square(), challenge);
        oracle
    }

    /// Sends the residual table, answers the queries of the last level, and closes.
    fn end(
        mut self,
        prover: &mut Prover,
        parameters: &Parameters,
        open: impl FnOnce(&mut Prover, &Queries<bool>),
    ) {
        prover.send_scalars(&self.tables.f);
        let levels = parameters.levels();
        let queries = self.query(prover, parameters, &levels[levels.len() - 1], open);
        let challenge = prover.challenge();
        let _rounds = info_span!("rounds").entered();
        self.add_queries(&queries, challenge, challenge);
        self.message = self.tables.message();
        for _ in 0..parameters.log_residual() {
            self.round(prover);
        }
    }

    fn query(
        &self,
        prover: &mut Prover,
        parameters: &Parameters,
        level: &Level,
        open: impl FnOnce(&mut Prover, &Queries<bool>),
    ) -> Queries<bool> {
        info_span!("grind").in_scope(|| prover.grind(parameters.grinding_bits()));
        let queries = prover.queries(level.plan);
        info_span!("queries").in_scope(|| open(prover, &queries));
        queries
    }

    /// Adds the weights of queries, the first scaled by `first`, each next by `challenge` more.
    fn add_queries(&mut self, queries: &Queries<bool>, first: E, challenge: E) {
        let indices = queries.indices();
        let scales = core::iter::successors(Some(first), |&scale| Some(scale * challenge));
        let scales: Vec<E> = scales.take(indices.len()).collect();
        add_query_weights(&mut self.tables.weights, &indices, &scales);
    }
}

/// Scalars of one task.
const TASK_SCALARS: usize = 1 << 12;

/// `sum_i a[i] b[i]`.
fn dot(a: &[E], b: &[E]) -> E {
    let sums = pool::map(a.len().div_ceil(TASK_SCALARS), |task| {
        let range = task * TASK_SCALARS..a.len().min((task + 1) * TASK_SCALARS);
        dispatch!(|be| dot_e(be, &a[range.clone()], &b[range]))
    });
    sums.into_iter().sum::<EWide>().reduce()
}
