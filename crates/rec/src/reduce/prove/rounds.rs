//! Rounds of sums of products of tables, of different sizes.

use alloc::vec;
use alloc::vec::Vec;

use fiat_shamir::Prover;
use primitives::backend::Backend;
use primitives::field::E;
use primitives::multilinear::eq_table;
use primitives::vectors::{Element, VectorE, combine, products_e, products_xor, products_zero, wide_sum_e};
use primitives::{dispatch, pool, slices};

use super::tables::Split;
use super::terms::Terms;

/// `sum_x f(x) w(x)`: two tables of one length, a power of two.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    pub f: Vec<E>,
    pub w: Vec<E>,
}

impl Pair {
    /// `h_0` and `h_2` of `h(X) = sum_x f(X, x) w(X, x)`, variable 0 being X; zeros if there is none.
    fn message(&self) -> [E; 2] {
        if self.f.len() == 1 {
            return [E::ZERO; 2];
        }
        dispatch!(|be| message(be, &self.f, &self.w))
    }

    /// Binds variable 0, if there is one.
    fn bind(&mut self, r: E) {
        if self.f.len() == 1 {
            return;
        }
        for table in [&mut self.f, &mut self.w] {
            let mut bound = vec![E::ZERO; table.len() / 2];
            dispatch!(|be| slices::fold_lowest(be, table, r, &mut bound));
            *table = bound;
        }
    }
}

#[inline(always)]
fn message<B: Backend>(be: B, f: &[E], w: &[E]) -> [E; 2] {
    assert_eq!(f.len(), w.len(), "tables of one length");
    let (mut constant, mut square) = (products_zero(be), products_zero(be));
    for (f, w) in f.chunks(2 * B::LANES).zip(w.chunks(2 * B::LANES)) {
        let ((f_0, f_1), (w_0, w_1)) = (halves(be, f), halves(be, w));
        constant = products_xor(be, constant, products_e(be, f_0, w_0));
        let (f_sum, w_sum) = (E::xor(be, f_0, f_1), E::xor(be, w_0, w_1));
        square = products_xor(be, square, products_e(be, f_sum, w_sum));
    }
    [
        wide_sum_e(be, combine(be, constant)).reduce(),
        wide_sum_e(be, combine(be, square)).reduce(),
    ]
}

/// The even elements and the odd ones of at most two vectors.
#[inline(always)]
fn halves<B: Backend>(be: B, elements: &[E]) -> (VectorE<B>, VectorE<B>) {
    let (low, high) = elements.split_at(elements.len().min(B::LANES));
    if high.len() == B::LANES {
        E::unzip(be, E::load(be, low), E::load(be, high))
    } else {
        E::unzip(be, E::load_partial(be, low), E::load_partial(be, high))
    }
}

/// A polynomial in a sumcheck.
pub(super) struct Part<'c> {
    pairs: Vec<Pair>,
    /// What its high variables are bound with, until its low ones are.
    split: Option<(&'c dyn Split, Vec<Vec<E>>)>,
    /// Once all variables are bound: the value f, and `f w` times the challenges since.
    end: Option<[E; 2]>,
}

impl<'c> Part<'c> {
    /// The product of two tables.
    pub(super) fn pair(pair: Pair) -> Self {
        Self {
            pairs: vec![pair],
            split: None,
            end: None,
        }
    }

    /// A polynomial with a sum of products of low and high tables.
    pub(super) fn split(table: &'c dyn Split, terms: Terms) -> Self {
        let (low, high): (Vec<_>, Vec<_>) = terms.into_tables().unzip();
        let pairs = table.sums_over_high(&high).into_iter().zip(low);
        Self {
            pairs: pairs.map(|(f, w)| Pair { f, w }).collect(),
            split: Some((table, high)),
            end: None,
        }
    }

    /// The value of f at the point.
    pub(super) fn value(&self) -> E {
        self.end.expect("all variables are bound")[0]
    }

    /// Goes on to the high variables when the low ones are bound, and to the end when all are.
    fn advance(&mut self, challenges: &[E]) {
        if let Some((table, high)) = &self.split
            && table.variables()[0] == challenges.len()
        {
            let mut w = vec![E::ZERO; 1 << table.variables()[1]];
            for (pair, high) in self.pairs.iter().zip(high) {
                dispatch!(|be| slices::add_scaled(be, &mut w, pair.w[0], high));
            }
            let f = table.sums_over_low(&eq_table(challenges));
            self.pairs = vec![Pair { f, w }];
            self.split = None;
        }
        if self.split.is_none()
            && let [Pair { f, w }] = self.pairs.as_slice()
            && let ([f], [w]) = (f.as_slice(), w.as_slice())
        {
            self.end = Some([*f, *f * *w]);
            self.pairs.clear();
        }
    }
}

/// Sends the rounds of the sum of all parts, and gives the challenges: the point, variable 0 first.
///
/// # Transcript
/// As [`pcs::whir::sumcheck::verify`].
pub(super) fn prove(prover: &mut Prover, parts: &mut [Part<'_>], rounds: usize) -> Vec<E> {
    let mut challenges = Vec::with_capacity(rounds);
    for _ in 0..rounds {
        parts.iter_mut().for_each(|part| part.advance(&challenges));
        let pairs: Vec<&mut Pair> = parts.iter_mut().flat_map(|part| &mut part.pairs).collect();
        let messages = pool::map(pairs.len(), |pair| pairs[pair].message());
        let mut message = [E::ZERO; 2];
        for of_pair in messages {
            for (sum, coefficient) in message.iter_mut().zip(of_pair) {
                *sum += coefficient;
            }
        }
        prover.send_scalars(&message);
        let challenge = prover.challenge();
        pool::for_each_item(pairs, |pair| pair.bind(challenge));
        for part in &mut *parts {
            if let Some([_, product]) = &mut part.end {
                *product *= challenge;
            }
        }
        challenges.push(challenge);
    }
    parts.iter_mut().for_each(|part| part.advance(&challenges));
    challenges
}
