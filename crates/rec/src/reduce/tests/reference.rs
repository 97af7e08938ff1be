//! The prover from the definitions: every polynomial, every weight and every matrix a table.

use alloc::vec;
use alloc::vec::Vec;

use argument::ProducerClaim;
use circuit::Circuit;
use fiat_shamir::{Native, Prover};
use primitives::field::{E, K};
use primitives::multilinear::eq_at_index;

use super::fixtures::Case;
use crate::reduce::claims::{self, MatrixClaim, Values, Vector, Weight};
use crate::reduce::{Catalog, Child, Merged};

/// A message of the prover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Message {
    Kind,
    DenseRound(usize),
    Dense,
    RowRound(usize),
    Products,
    ColumnRound(usize),
    Matrices,
}

/// Every value of every polynomial.
pub(super) struct Tables {
    /// Image, entries, fixed.
    pub dense: [Vec<E>; 3],
    /// Of each circuit the positions `[row, column, 0 for A, 1 for B]` of ones.
    ones: Vec<Vec<[usize; 3]>>,
}

impl Tables {
    pub(super) fn new(catalog: &Catalog) -> Self {
        let mut image = vec![E::ZERO; 1 << catalog.image.log_words];
        for &(index, word) in &catalog.image.words {
            image[index as usize] = word.into();
        }
        let len = 1 << catalog.entries.log_len;
        let mut entries = vec![E::ZERO; len << 10];
        for (j, words) in catalog.entries.coordinates.iter().enumerate() {
            for (i, word) in words.iter().enumerate() {
                for t in 0..64 {
                    entries[i + len * (j + 16 * t)] = K(word.0 >> t & 1).into();
                }
            }
        }
        let fixed = catalog.fixed.words.iter().map(|&word| word.into());
        Self {
            dense: [image, entries, fixed.collect()],
            ones: catalog.circuits.iter().map(ones).collect(),
        }
    }

    /// The ones of a circuit's matrices.
    pub(super) fn entries(&self, circuit: usize) -> impl Iterator<Item = [usize; 3]> {
        self.ones[circuit].iter().copied()
    }

    /// All values at these points.
    pub(super) fn merged(
        &self,
        catalog: &Catalog,
        point: Vec<E>,
        row_point: Vec<E>,
        column_point: Vec<E>,
    ) -> Merged<E> {
        let value = |table: &Vec<E>| evaluate(table, &point[..table.len().ilog2() as usize]);
        let [image, entries, fixed] = self.dense.each_ref().map(value);
        let matrices = |(circuit, of_circuit): (usize, &Circuit)| {
            let block = of_circuit.log_block();
            let mut values = [E::ZERO; 2];
            for [p, q, matrix] in self.entries(circuit) {
                values[matrix] +=
                    eq_at_index(&row_point[..block], p) * eq_at_index(&column_point[..block], q);
            }
            values
        };
        let matrices = catalog.circuits.iter().enumerate().map(matrices).collect();
        Merged {
            image,
            entries,
            fixed,
            matrices,
            point,
            row_point,
            column_point,
        }
    }
}

/// The matrices of a circuit, by their products with unit vectors.
fn ones(circuit: &Circuit) -> Vec<[usize; 3]> {
    let len = 1 << circuit.log_block();
    let mut ones = Vec::new();
    for q in 0..len {
        let mut unit = vec![K::ZERO; len];
        unit[q] = K::ONE;
        let (mut a, mut b) = (vec![K::ZERO; len], vec![K::ZERO; len]);
        circuit.forward(&unit, &mut a, &mut b);
        for (matrix, column) in [a, b].iter().enumerate() {
            ones.extend((0..len).filter(|&p| column[p] == K::ONE).map(|p| [p, q, matrix]));
        }
    }
    ones
}

/// The multilinear extension.
pub(super) fn evaluate(table: &[E], point: &[E]) -> E {
    let terms = table.iter().enumerate();
    terms.map(|(v, &value)| eq_at_index(point, v) * value).sum()
}

/// The whole reduction, with messages changed before they are sent.
pub(super) fn prove(prover: &mut Prover, case: &Case, mut forge: impl FnMut(Message, &mut [E])) -> Merged<E> {
    let (catalog, tables) = (&case.catalog, Tables::new(&case.catalog));
    let mut kinds = case.kinds.clone();
    for (child, kind) in case.children.iter().zip(&mut kinds) {
        if matches!(child, Child::Tree { .. }) {
            let message = core::slice::from_mut(kind);
            forge(Message::Kind, message);
            prover.send_scalars(message);
        }
    }
    let dense = claims::dense(&Native::default(), catalog, &case.children, &kinds).unwrap();
    let gamma = prover.challenge();
    let mut weights = tables.dense.each_ref().map(|table| vec![E::ZERO; table.len()]);
    let mut power = E::ONE;
    for claim in &dense {
        let place = claim.polynomial.of([0, 1, 2]);
        for (x, weight) in weights[place].iter_mut().enumerate() {
            *weight += power * weight_at(catalog, &claim.weight, x);
        }
        power *= gamma;
    }
    let pairs = tables.dense.iter().cloned().zip(weights).collect();
    let point = rounds(prover, pairs, catalog.point_variables(), |round, message| {
        forge(Message::DenseRound(round), message);
    });
    let mut values = tables
        .dense
        .each_ref()
        .map(|table| evaluate(table, &point[..table.len().ilog2() as usize]));
    forge(Message::Dense, &mut values);
    prover.send_scalars(&values);
    let [image, entries, fixed] = values;

    let claims = claims::matrices(catalog, &case.children).unwrap();
    let matrices = Matrices {
        catalog,
        tables: &tables,
        claims: &claims,
    };
    let (row_point, column_point, matrices) = matrices.prove(prover, forge);
    Merged {
        point,
        image,
        entries,
        fixed,
        row_point,
        column_point,
        matrices,
    }
}

/// The weight of a claim at a vertex.
fn weight_at(catalog: &Catalog, weight: &Weight<'_, E>, x: usize) -> E {
    match weight {
        Weight::Point(point) => eq_at_index(point, x),
        Weight::Column { region, point, kind } => {
            let (place, top) = (x % (1 << catalog.fixed.log_words), x >> catalog.fixed.log_words);
            if !region.range().contains(&place) {
                return E::ZERO;
            }
            let of_kind = if top == 0 { E::ONE + *kind } else { *kind };
            of_kind * eq_at_index(point, place - region.offset)
        }
        Weight::Producer(claim) => {
            let (i, rest) = (x % (1 << catalog.entries.log_len), x >> catalog.entries.log_len);
            eq_at_index(&claim.point, i) * weight_of_bit(claim, rest % 16, rest / 16)
        }
    }
}

/// `sum_b c_b (a_j x^t)^(2^b)`.
fn weight_of_bit(claim: &ProducerClaim<E>, j: usize, t: usize) -> E {
    let image = eq_at_index(&claim.alpha, j) * K::X.pow(t as u64);
    let terms = claim.weights.iter().zip(0..);
    terms.map(|(&weight, b)| weight * image.frobenius(b)).sum()
}

/// The rounds of `sum_i sum_x f_i(x) w_i(x)`.
fn rounds(
    prover: &mut Prover,
    mut pairs: Vec<(Vec<E>, Vec<E>)>,
    count: usize,
    mut forge: impl FnMut(usize, &mut [E]),
) -> Vec<E> {
    let fold = |table: &mut Vec<E>, r: E| {
        if table.len() > 1 {
            *table = table.chunks(2).map(|p| p[0] + r * (p[0] + p[1])).collect();
        }
    };
    let mut challenges = vec![];
    for round in 0..count {
        let mut message = [E::ZERO; 2];
        for (f, w) in &pairs {
            for (f, w) in f.chunks_exact(2).zip(w.chunks_exact(2)) {
                message[0] += f[0] * w[0];
                message[1] += (f[0] + f[1]) * (w[0] + w[1]);
            }
        }
        forge(round, &mut message);
        prover.send_scalars(&message);
        let r = prover.challenge();
        for (f, w) in &mut pairs {
            fold(f, r);
            fold(w, r);
        }
        challenges.push(r);
    }
    challenges
}

/// The claims on matrices.
struct Matrices<'c> {
    catalog: &'c Catalog,
    tables: &'c Tables,
    claims: &'c [MatrixClaim<'c, E>],
}

impl Matrices<'_> {
    fn prove(
        &self,
        prover: &mut Prover,
        mut forge: impl FnMut(Message, &mut [E]),
    ) -> (Vec<E>, Vec<E>, Vec<[E; 2]>) {
        let gamma = prover.challenge();
        let products: Vec<[Vec<E>; 2]> = self.claims.iter().map(|claim| self.products(claim)).collect();
        let mut power = E::ONE;
        let mut pairs = vec![];
        for (claim, [a, b]) in self.claims.iter().zip(&products) {
            let mut pair = |matrix: &[E], scale: E| {
                pairs.push((table(&claim.rows), matrix.iter().map(|&v| scale * v).collect()));
            };
            pair(a, power);
            match claim.values {
                Values::Sum { batching, .. } => pair(b, power * batching),
                Values::Both(_) => {
                    power *= gamma;
                    pair(b, power);
                }
            }
            power *= gamma;
        }
        let variables = self.catalog.block_variables();
        let row_point = rounds(prover, pairs, variables, |round, message| {
            forge(Message::RowRound(round), message);
        });
        let values = products.iter().flatten();
        let mut values: Vec<E> = values
            .map(|table| evaluate(table, &row_point[..table.len().ilog2() as usize]))
            .collect();
        forge(Message::Products, &mut values);
        prover.send_scalars(&values);

        let delta = prover.challenge();
        let mut power = E::ONE;
        let mut pairs = vec![];
        for claim in self.claims {
            for row in self.row(claim.circuit, &row_point) {
                let weights = table(&claim.columns).into_iter().map(|v| power * v);
                pairs.push((row, weights.collect()));
                power *= delta;
            }
        }
        let column_point = rounds(prover, pairs, variables, |round, message| {
            forge(Message::ColumnRound(round), message);
        });
        let point = vec![E::ZERO; self.catalog.point_variables()];
        let at = self
            .tables
            .merged(self.catalog, point, row_point.clone(), column_point.clone());
        let mut matrices = at.matrices;
        forge(Message::Matrices, matrices.as_flattened_mut());
        prover.send_scalars(matrices.as_flattened());
        (row_point, column_point, matrices)
    }

    /// `A V` and `B V`.
    fn products(&self, claim: &MatrixClaim<'_, E>) -> [Vec<E>; 2] {
        let columns = table(&claim.columns);
        let mut products = [vec![E::ZERO; columns.len()], vec![E::ZERO; columns.len()]];
        for [p, q, matrix] in self.tables.entries(claim.circuit) {
            products[matrix][p] += columns[q];
        }
        products
    }

    /// `A(point, .)` and `B(point, .)`.
    fn row(&self, circuit: usize, point: &[E]) -> [Vec<E>; 2] {
        let block = self.catalog.circuits[circuit].log_block();
        let mut rows = [vec![E::ZERO; 1 << block], vec![E::ZERO; 1 << block]];
        for [p, q, matrix] in self.tables.entries(circuit) {
            rows[matrix][q] += eq_at_index(&point[..block], p);
        }
        rows
    }
}

/// A vector at all positions.
fn table(vector: &Vector<'_, E>) -> Vec<E> {
    match vector.bits {
        None => (0..1 << vector.point.len())
            .map(|p| eq_at_index(vector.point, p))
            .collect(),
        Some(bits) => (0..64 << vector.point.len())
            .map(|p| bits[p % 64] * eq_at_index(vector.point, p / 64))
            .collect(),
    }
}
