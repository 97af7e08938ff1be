//! The prover from the definitions, slow and in scalars: what the prover that ships is held to, byte for byte,
//! and what forges proofs in tests.

use alloc::vec::Vec;

use fiat_shamir::merkle::LeafShape;
use fiat_shamir::{Native, Prover, Queries};
use primitives::field::{E, K};

use crate::ntt::{basis::subspace_value, reference::encode};
use crate::parameters::Parameters;

/// One change that a forging prover makes, before both transcripts absorb what it changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Forgery {
    /// None.
    Honest,
    /// Coefficient 0 or 2 (as 0 or 1) of the message of a round, counted over the whole opening.
    Round { round: usize, coefficient: usize },
    /// The root of a level.
    Root { level: usize },
    /// The out-of-domain answer of a level.
    Answer { level: usize },
    /// One scalar of the residual table.
    Residual { index: usize },
    /// The first query of a level is answered from the leaf beside it.
    OtherLeaf { level: usize },
    /// One word of the first opened leaf of a level.
    LeafWord { level: usize, word: usize },
    /// The first sibling of a level's opening.
    Sibling { level: usize },
    /// From the fold of a level on, another function with the same weighted sum.
    Fold { level: usize },
}

/// An oracle, every leaf and node of it.
pub(crate) struct Oracle {
    shape: LeafShape,
    leaves: Vec<Vec<u64>>,
    /// The leaves' digests first.
    layers: Vec<Vec<[u64; 4]>>,
}

impl Oracle {
    /// The oracle of the stack: 2^`log_lanes` lanes of which those from `present` on are zero.
    pub(crate) fn of_stack(stack: &[K], log_lanes: usize, present: usize, log_inv_rate: usize) -> Self {
        let lanes: Vec<Vec<K>> = stack
            .chunks(stack.len() >> log_lanes)
            .take(present)
            .map(|lane| encode(lane, log_inv_rate))
            .collect();
        let leaf = |x: usize| lanes.iter().map(|lane| lane[x].0).collect();
        let leaves = (0..stack.len() >> log_lanes << log_inv_rate).map(leaf).collect();
        Self::of_leaves(LeafShape::new((1 << log_lanes) - present, present), leaves)
    }

    /// The oracle of a folded function.
    fn of_scalars(f: &[E], log_lanes: usize, log_inv_rate: usize) -> Self {
        let lanes: Vec<Vec<E>> = f
            .chunks(f.len() >> log_lanes)
            .map(|lane| encode(lane, log_inv_rate))
            .collect();
        let leaf = |x: usize| lanes.iter().flat_map(|lane| lane[x].to_words()).collect();
        let leaves = (0..f.len() >> log_lanes << log_inv_rate).map(leaf).collect();
        Self::of_leaves(LeafShape::new(0, 3 << log_lanes), leaves)
    }

    fn of_leaves(shape: LeafShape, leaves: Vec<Vec<u64>>) -> Self {
        use fiat_shamir::Arith;
        let arith = Native::default();
        let words = |leaf: &[u64]| leaf.iter().copied().map(K).collect::<Vec<_>>();
        let mut layers = alloc::vec![
            leaves
                .iter()
                .map(|leaf| shape.hash(&arith, &words(leaf)))
                .collect::<Vec<_>>()
        ];
        while layers[layers.len() - 1].len() > 1 {
            let pairs = layers[layers.len() - 1].chunks(2);
            layers.push(pairs.map(|pair| arith.merkle_node(pair[0], pair[1])).collect());
        }
        Self {
            shape,
            leaves,
            layers,
        }
    }

    pub(crate) fn root(&self) -> [u64; 4] {
        self.layers[self.layers.len() - 1][0]
    }

    fn open(&self, prover: &mut Prover, queries: &Queries<bool>, level: usize, forgery: Forgery) {
        let first = queries.indices().into_iter().min().unwrap();
        let mut leaves = self.leaves.clone();
        let mut sibling_changed = false;
        match forgery {
            Forgery::OtherLeaf { level: at } if at == level => leaves[first] = self.leaves[first ^ 1].clone(),
            Forgery::LeafWord { level: at, word } if at == level => leaves[first][word] ^= 1,
            _ => {}
        }
        prover.open(
            &self.shape,
            queries,
            |leaf, words| words.extend(&leaves[leaf]),
            |layer, index| {
                let mut node = self.layers[layer][index];
                if forgery == (Forgery::Sibling { level }) && !sibling_changed {
                    node[0] ^= 1;
                    sibling_changed = true;
                }
                node
            },
        );
    }
}

/// `eq(point, v)` for all v, variable 0 first.
pub(crate) fn eq_table(point: &[E]) -> Vec<E> {
    let eq = |v: usize| {
        point
            .iter()
            .enumerate()
            .map(|(i, &r)| if v >> i & 1 == 1 { r } else { E::ONE + r })
            .product()
    };
    (0..1 << point.len()).map(eq).collect()
}

/// `sum_v weights[v] f[v]`.
pub(crate) fn weighted_sum(weights: &[E], f: &[E]) -> E {
    weights.iter().zip(f).map(|(&w, &f)| w * f).sum()
}

/// `table` with its top variable bound to `c`.
fn fold(table: &[E], c: E) -> Vec<E> {
    let (low, high) = table.split_at(table.len() / 2);
    low.iter()
        .zip(high)
        .map(|(&low, &high)| low + c * (low + high))
        .collect()
}

struct Rounds {
    weights: Vec<E>,
    f: Vec<E>,
    done: usize,
    forgery: Forgery,
}

impl Rounds {
    fn round(&mut self, prover: &mut Prover) -> E {
        let (w_0, w_1) = self.weights.split_at(self.weights.len() / 2);
        let (f_0, f_1) = self.f.split_at(self.f.len() / 2);
        let sum = |a: &[E], b: &[E]| -> Vec<E> { a.iter().zip(b).map(|(&a, &b)| a + b).collect() };
        let mut message = [
            weighted_sum(w_0, f_0),
            weighted_sum(&sum(w_0, w_1), &sum(f_0, f_1)),
        ];
        if let Forgery::Round { round, coefficient } = self.forgery
            && round == self.done
        {
            message[coefficient] += E::ONE;
        }
        prover.send_scalars(&message);
        let c = prover.challenge();
        self.weights = fold(&self.weights, c);
        self.f = fold(&self.f, c);
        self.done += 1;
        c
    }
}

/// Opens `sum_v weights[v] stack[v]`.
///
/// `stack`, `weights`: 2^log_words of them, the absent lanes' words being zero.
pub(crate) fn prove(
    prover: &mut Prover,
    parameters: &Parameters,
    stack: &[K],
    present_lanes: usize,
    weights: &[E],
    forgery: Forgery,
) {
    let levels = parameters.levels();
    let mut oracle = Oracle::of_stack(
        stack,
        parameters.log_lanes(),
        present_lanes,
        parameters.log_inv_rate(),
    );
    let f = stack.iter().map(|&word| E::from(word)).collect();
    let mut rounds = Rounds {
        weights: weights.to_vec(),
        f,
        done: 0,
        forgery,
    };
    for (i, level) in levels.iter().enumerate() {
        for _ in 0..level.log_fold {
            rounds.round(prover);
        }
        if forgery == (Forgery::Fold { level: i }) {
            // The change is orthogonal to the weights, so that the claim stays true.
            let (w_0, w_1) = (rounds.weights[0], rounds.weights[1]);
            rounds.f[0] += w_1;
            rounds.f[1] += w_0;
        }

        let mut batched = Vec::new();
        let mut next = None;
        if let Some(level) = levels.get(i + 1) {
            let committed = Oracle::of_scalars(&rounds.f, level.log_fold, level.log_inv_rate);
            let mut root = committed.root();
            root[0] ^= u64::from(forgery == (Forgery::Root { level: i + 1 }));
            prover.send_digest(root);
            let c = prover.challenge();
            let point: Vec<E> = (0..level.variables())
                .scan(c, |c, _| {
                    let power = *c;
                    *c = c.square();
                    Some(power)
                })
                .collect();
            let weight = eq_table(&point);
            let mut answer = weighted_sum(&weight, &rounds.f);
            if forgery == (Forgery::Answer { level: i + 1 }) {
                answer += E::ONE;
            }
            prover.send_scalar(answer);
            batched.push(weight);
            next = Some(committed);
        } else {
            if let Forgery::Residual { index } = forgery {
                rounds.f[index] += E::ONE;
            }
            prover.send_scalars(&rounds.f);
        }

        prover.grind(parameters.grinding_bits());
        let queries = prover.queries(level.plan);
        oracle.open(prover, &queries, i, forgery);
        batched.extend(queries.indices().into_iter().map(|x| {
            let weight = |w: usize| {
                E::from(
                    (0..level.log_message)
                        .filter(|i| w >> i & 1 == 1)
                        .map(|i| subspace_value(i, x as u32))
                        .product::<K>(),
                )
            };
            (0..1 << level.log_message).map(weight).collect()
        }));
        let challenge = prover.challenge();
        let mut power = challenge;
        for weight in batched {
            for (sum, w) in rounds.weights.iter_mut().zip(weight) {
                *sum += power * w;
            }
            power *= challenge;
        }
        if let Some(next) = next {
            oracle = next;
        }
    }
    for _ in 0..parameters.log_residual() {
        rounds.round(prover);
    }
}
