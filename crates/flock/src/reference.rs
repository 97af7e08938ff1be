//! The prover from the definitions, slow and in scalars: what the prover that ships is held to, byte for byte, and
//! what forges proofs in tests.

use alloc::vec::Vec;

use circuit::Circuit;
use fiat_shamir::Prover;
use primitives::field::{B8, E, K};

use crate::Batch;
use crate::skip::{SKIP, fixed_coordinates};

/// A message that is about to be sent. What `forge` changes is what both transcripts absorb, and what the prover
/// goes on with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Message<'m> {
    /// P on Lambda.
    Skip,
    /// `h_1` and `h_2` of a round of the zerocheck.
    Round(usize),
    /// `v_a`, `v_b`, `v_c` of a member.
    Values(usize),
    /// `h_0` and `h_2` of a round of the lincheck.
    Lincheck(usize),
    /// The slices of a group, whose matrix form has these coefficients.
    Slices(usize, &'m [E]),
    /// The matrix value of a group, of which the check multiplies the values of all.
    Matrix(usize, &'m [E]),
}

/// A prover that lets `forge` change every message.
pub(crate) struct Forging<'f, F> {
    pub(crate) prover: &'f mut Prover,
    pub(crate) forge: F,
}

impl<F: FnMut(Message<'_>, &mut [E])> Forging<'_, F> {
    fn send(&mut self, message: Message<'_>, scalars: &mut [E]) {
        (self.forge)(message, scalars);
        self.prover.send_scalars(scalars);
    }
}

/// `L_i(y)`: the product over the other points of S.
fn lagrange(y: E) -> Vec<E> {
    let s = |i: usize| E::from(B8(i as u8).embed());
    let at = |i: usize| {
        let others = (0..SKIP).filter(move |&j| j != i);
        let (above, below) = others.fold((E::ONE, E::ONE), |(above, below), j| {
            (above * (y + s(j)), below * (s(i) + s(j)))
        });
        above * below.inverse_or_zero()
    };
    (0..SKIP).map(at).collect()
}

fn eq(point: &[E], index: usize) -> E {
    let factor = |(i, &r): (usize, &E)| if index >> i & 1 == 1 { r } else { E::ONE + r };
    point.iter().enumerate().map(factor).product()
}

/// The words of `A z`, `B z` and z.
fn constraints(circuit: &Circuit, words: &[K]) -> [Vec<u64>; 3] {
    let mut tables = [const { Vec::new() }; 3];
    for block in words.chunks(circuit.block_words()) {
        let bits = block.iter().flat_map(|word| (0..64).map(|i| K(word.0 >> i & 1)));
        let z: Vec<K> = bits.collect();
        let (mut a, mut b) = (z.clone(), z.clone());
        circuit.forward(&z, &mut a, &mut b);
        for (table, bits) in tables.iter_mut().zip([a, b, z]) {
            table.extend(
                bits.chunks(64)
                    .map(|bits| bits.iter().rev().fold(0, |word, bit| word << 1 | bit.0)),
            );
        }
    }
    tables
}

/// `f^(y, v)` for all v, `lagrange` being `L_i(y)`.
fn hat(words: &[u64], lagrange: &[E]) -> Vec<E> {
    let sum = |word: &u64| {
        let selected = lagrange.iter().enumerate().filter(|(i, _)| word >> i & 1 == 1);
        selected.map(|(_, &l)| l).sum()
    };
    words.iter().map(sum).collect()
}

/// The table with its lowest variable bound to x.
fn bind(table: &[E], x: E) -> Vec<E> {
    table
        .chunks(2)
        .map(|pair| pair[0] + x * (pair[0] + pair[1]))
        .collect()
}

/// `sum_v eq(point, v) (a(x, v) b(x, v) + c(x, v))`.
fn round_value(tables: &[Vec<E>; 3], point: &[E], x: E) -> E {
    let [a, b, c] = tables.each_ref().map(|table| bind(table, x));
    (0..a.len()).map(|v| eq(point, v) * (a[v] * b[v] + c[v])).sum()
}

/// Proves, whether it is true or not, that these witnesses satisfy the circuits of a batch.
pub(crate) fn prove<F: FnMut(Message<'_>, &mut [E])>(
    forging: &mut Forging<'_, F>,
    batch: &Batch<'_>,
    witnesses: &[&[K]],
) {
    let mut r = fixed_coordinates().to_vec();
    r.extend(forging.prover.challenges(batch.log_words() - r.len()));
    let batching = forging.prover.challenge();
    let powers: Vec<E> = powers(batching, batch.members().len());
    let words: Vec<[Vec<u64>; 3]> = batch
        .members()
        .iter()
        .zip(witnesses)
        .map(|(member, words)| constraints(batch.groups()[member.group].circuit, words))
        .collect();

    let eqs: Vec<Vec<E>> = batch
        .members()
        .iter()
        .map(|member| {
            (0..1 << member.log_words)
                .map(|v| eq(&r[..member.log_words], v))
                .collect()
        })
        .collect();
    let on_lambda = |i: usize| {
        let weights = lagrange(B8((SKIP + i) as u8).embed().into());
        let of_member = |(words, (&power, eq)): (&[Vec<u64>; 3], (&E, &Vec<E>))| -> E {
            let [a, b, c] = words.each_ref().map(|words| hat(words, &weights));
            power * (0..a.len()).map(|v| eq[v] * (a[v] * b[v] + c[v])).sum::<E>()
        };
        words.iter().zip(powers.iter().zip(&eqs)).map(of_member).sum()
    };
    let mut message: Vec<E> = (0..SKIP).map(on_lambda).collect();
    forging.send(Message::Skip, &mut message);
    let z = forging.prover.challenge();
    let weights = lagrange(z);
    let mut tables: Vec<[Vec<E>; 3]> = words
        .iter()
        .map(|words| words.each_ref().map(|words| hat(words, &weights)))
        .collect();

    let mut point = Vec::new();
    for round in 0..r.len() {
        let mut sent = [E::ZERO; 2];
        for (tables, &power) in tables
            .iter()
            .zip(&powers)
            .filter(|(tables, _)| tables[0].len() > 1)
        {
            let rest = &r[round + 1..round + tables[0].len().ilog2() as usize];
            let at = |x| round_value(tables, rest, x);
            let (h_0, h_1) = (at(E::ZERO), at(E::ONE));
            // h(y) = h(0) + c_1 y + c_2 y^2, and c_1 + c_2 = h(0) + h(1).
            let at_y = at(E::Y) + h_0;
            let c_2 = (at_y + E::Y * (h_0 + h_1)) * (E::Y + E::Y.square()).inverse_or_zero();
            sent[0] += power * (h_0 + h_1 + c_2);
            sent[1] += power * c_2;
        }
        forging.send(Message::Round(round), &mut sent);
        let challenge = forging.prover.challenge();
        for table in tables.iter_mut().flatten().filter(|table| table.len() > 1) {
            *table = bind(table, challenge);
        }
        point.push(challenge);
    }
    for (f, tables) in tables.iter().enumerate() {
        let mut values = tables.each_ref().map(|table| table[0]);
        forging.send(Message::Values(f), &mut values);
    }
    lincheck(forging, batch, &words, &weights, &point);
}

fn powers(base: E, count: usize) -> Vec<E> {
    core::iter::successors(Some(E::ONE), |&power| Some(power * base))
        .take(count)
        .collect()
}

fn lincheck<F: FnMut(Message<'_>, &mut [E])>(
    forging: &mut Forging<'_, F>,
    batch: &Batch<'_>,
    words: &[[Vec<u64>; 3]],
    lagrange: &[E],
    point: &[E],
) {
    let a = forging.prover.challenge();
    let weights = powers(a.pow(4), words.len());
    let mut groups = Vec::new();
    for group in batch.groups() {
        let (circuit, k) = (group.circuit, group.log_block_words());
        let positions = SKIP << k;
        let rows: Vec<E> = (0..positions)
            .map(|p| lagrange[p % SKIP] * eq(&point[..k], p / SKIP))
            .collect();
        let zero = alloc::vec![E::ZERO; positions];
        let (mut by_a, mut by_b) = (zero.clone(), zero.clone());
        circuit.backward(&rows, &zero, &mut by_a);
        circuit.backward(&zero, &rows, &mut by_b);
        let constant = |j| {
            if j == circuit.constant_position() {
                E::ONE
            } else {
                E::ZERO
            }
        };
        let matrix: Vec<E> = (0..positions).map(|j| by_a[j] + a * by_b[j]).collect();
        let whole: Vec<E> = (0..positions)
            .map(|j| matrix[j] + a.pow(2) * rows[j] + a.pow(3) * constant(j))
            .collect();
        let mut z = zero;
        for &f in &group.members {
            let out = &point[k..batch.members()[f].log_words];
            for (v, block) in words[f][2].chunks(1 << k).enumerate() {
                let weight = weights[f] * eq(out, v);
                for (j, z) in z.iter_mut().enumerate() {
                    if block[j / SKIP] >> (j % SKIP) & 1 == 1 {
                        *z += weight;
                    }
                }
            }
        }
        groups.push([whole, z, matrix]);
    }
    let top = |table: &[E], x: E| -> Vec<E> {
        let (low, high) = table.split_at(table.len() / 2);
        low.iter()
            .zip(high)
            .map(|(&low, &high)| low + x * (low + high))
            .collect()
    };
    let mut scales = alloc::vec![E::ONE; groups.len()];
    for round in 0..batch.log_block_words() {
        let mut sent = [E::ZERO; 2];
        for [whole, z, _] in groups.iter().filter(|tables| tables[0].len() > SKIP) {
            let at = |x| -> E { top(whole, x).into_iter().zip(top(z, x)).map(|(m, z)| m * z).sum() };
            let (h_0, h_1, h_y) = (at(E::ZERO), at(E::ONE), at(E::Y));
            sent[0] += h_0;
            sent[1] += (h_y + h_0 + E::Y * (h_0 + h_1)) * (E::Y + E::Y.square()).inverse_or_zero();
        }
        forging.send(Message::Lincheck(round), &mut sent);
        let challenge = forging.prover.challenge();
        for (tables, scale) in groups.iter_mut().zip(&mut scales) {
            if tables[0].len() > SKIP {
                *tables = tables.each_ref().map(|table| top(table, challenge));
            } else {
                *scale *= challenge;
            }
        }
    }
    for (number, [whole, slices, matrix]) in groups.iter_mut().enumerate() {
        forging.send(Message::Slices(number, whole), slices);
        let mut value = [matrix.iter().zip(slices).map(|(&m, s)| m * *s).sum()];
        forging.send(Message::Matrix(number, &scales), &mut value);
    }
}
