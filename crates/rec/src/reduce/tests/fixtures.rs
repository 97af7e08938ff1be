//! Small catalogs, and children whose claims are true by the definitions.

use alloc::vec;
use alloc::vec::Vec;

use argument::{Deferred, ProducerClaim, PublicClaim};
use circuit::{Builder, Circuit};
use fiat_shamir::{Channel, Kind, Native, Proof, Prover, Source, VerifyError};
use flock::MatrixClaim;
use pcs::stack::Region;
use primitives::field::{E, K};
use primitives::multilinear::eq_at_index;

use super::reference::{self, Message, Tables};
use crate::reduce::catalog::{Entries, Fixed, Image};
use crate::reduce::{Catalog, Child, Merged, prove, verify_core};
use crate::tests::{scalars, words};

/// No forgery.
pub(super) const HONEST: fn(Message, &mut [E]) = |_, _| {};

/// Sizes of a catalog.
pub(super) struct Sizes {
    pub log_image: usize,
    /// Words of the image that are there, from the first on.
    pub live: u32,
    pub log_entries: usize,
    pub coordinates: usize,
    /// log2 of the words of fixed columns.
    pub fixed: &'static [usize],
}

/// Sizes at which every polynomial has low variables and high ones, and columns are longer and shorter than those.
pub(super) const LARGE: Sizes = Sizes {
    log_image: 7,
    live: 9,
    log_entries: 4,
    coordinates: 13,
    fixed: &[3, 11, 10, 9, 0, 11, 0],
};

/// Sizes at which nearly nothing has high variables.
pub(super) const SMALL: Sizes = Sizes {
    log_image: 2,
    live: 4,
    log_entries: 0,
    coordinates: 2,
    fixed: &[0, 2, 1],
};

/// Sizes for which proofs from the definitions are short work.
pub(super) const FEW: Sizes = Sizes {
    log_image: 5,
    live: 9,
    log_entries: 2,
    coordinates: 3,
    fixed: &[3, 5, 4, 0],
};

/// What a child is.
#[derive(Clone, Copy)]
pub(super) enum Is {
    Run,
    Tree(bool),
}

/// Children of a node, with claims.
#[derive(Clone)]
pub(super) struct Case {
    pub catalog: Catalog,
    pub children: Vec<Child<E>>,
    /// Of each child; of a forger, any scalar.
    pub kinds: Vec<E>,
}

/// Elements of E without a pattern, on and on.
pub(super) struct Draw(u64);

impl Draw {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed << 16)
    }

    pub(super) fn one(&mut self) -> E {
        self.some(1)[0]
    }

    pub(super) fn some(&mut self, count: usize) -> Vec<E> {
        self.0 += 1;
        scalars(count, self.0)
    }
}

fn circuits() -> Vec<Circuit> {
    // Blocks of 2^8, 2^8 and 2^7 positions, then HASH's, which is 2^8 here.
    let mut adder = Builder::new();
    let (p, q) = (adder.input(), adder.input());
    let sum = adder.add(&p, &q);
    adder.output(&sum);
    let mut products = Builder::new();
    let (p, q) = (products.input_with_bits(u64::MAX >> 7), products.input());
    let product = products.and_words(&p, &q);
    products.output(&product);
    let mut few = Builder::new();
    let p = few.input_with_bits(0xff);
    let bits: Vec<_> = (0..8).map(|i| few.and(p[i], p[(i + 3) % 8])).collect();
    let port = few.output(&bits);
    few.constant_at(port, 20);
    let mut one = Builder::new();
    let p = one.input_with_bits(0xfff);
    let bit = one.and(p[1], p[7]);
    let bit = one.xor(bit, p[2]);
    let bit = one.and(bit, p[5]);
    one.output(&[bit]);
    [adder, products, few, one].map(|builder| builder.build()).into()
}

impl Sizes {
    pub(super) fn catalog(&self, seed: u64) -> Catalog {
        let mut image: Vec<u32> = (0..self.live).filter(|i| i % 5 != 3).collect();
        image.dedup();
        let placed: usize = self.fixed.iter().map(|log| 1usize << log).sum();
        let log_words = placed.next_power_of_two().ilog2() as usize;
        let mut order: Vec<usize> = (0..self.fixed.len()).collect();
        order.sort_by_key(|&column| core::cmp::Reverse(self.fixed[column]));
        let mut regions = vec![
            Region {
                offset: 0,
                log_words: 0
            };
            order.len()
        ];
        let mut offset = 0;
        for column in order {
            regions[column] = Region {
                offset,
                log_words: self.fixed[column],
            };
            offset += 1 << self.fixed[column];
        }
        let mut fixed: Vec<K> = words(2 << log_words, seed + 1).into_iter().map(K).collect();
        for half in fixed.chunks_mut(1 << log_words) {
            half[placed..].fill(K::ZERO);
        }
        let coordinate = |j: usize| words(1 << self.log_entries, seed + 2 + j as u64);
        Catalog {
            image: Image {
                column: 5,
                log_words: self.log_image,
                words: image
                    .into_iter()
                    .zip(words(self.live as usize, seed).into_iter().map(K))
                    .collect(),
            },
            entries: Entries {
                log_len: self.log_entries,
                coordinates: (0..self.coordinates)
                    .map(|j| coordinate(j).into_iter().map(K).collect())
                    .collect(),
            },
            fixed: Fixed {
                regions,
                log_words,
                words: fixed,
            },
            circuits: circuits(),
            // The second circuit is of a table that is absent.
            run_groups: vec![2, 0],
        }
    }
}

impl Case {
    pub(super) fn new(sizes: &Sizes, children: &[Is]) -> Self {
        let catalog = sizes.catalog(1);
        let tables = Tables::new(&catalog);
        let mut draw = Draw::new(7);
        let child = |is: &Is| match *is {
            Is::Run => Child::Run(run(&catalog, &tables, &mut draw)),
            Is::Tree(kind) => Child::Tree {
                deferred: tree(&catalog, &tables, kind, &mut draw),
                carried: carried(&catalog, &tables, &mut draw),
            },
        };
        let kind = |is: &Is| match *is {
            Is::Tree(true) => E::ONE,
            _ => E::ZERO,
        };
        Self {
            children: children.iter().map(child).collect(),
            kinds: children.iter().map(kind).collect(),
            catalog,
        }
    }

    /// The proof by the prover that ships.
    pub(super) fn prove(&self) -> (Proof, Merged<E>) {
        let mut prover = Prover::new(Kind::Tree, vec![]);
        let kinds: Vec<bool> = self.kinds.iter().map(|&kind| kind == E::ONE).collect();
        let merged = prove(&mut prover, &self.catalog, &self.children, &kinds);
        (prover.finish().0, merged)
    }

    /// The proof from the definitions, with messages changed before they are sent.
    pub(super) fn forge(&self, forge: impl FnMut(Message, &mut [E])) -> (Proof, Merged<E>) {
        let mut prover = Prover::new(Kind::Tree, vec![]);
        let merged = reference::prove(&mut prover, self, forge);
        (prover.finish().0, merged)
    }

    pub(super) fn verify(&self, proof: &Proof) -> Result<Merged<E>, VerifyError> {
        verify_with(&Native::new(proof), &self.catalog, &self.children)
    }
}

/// The verifier on any instance.
pub(super) fn verify_with<A: Source>(
    arith: &A,
    catalog: &Catalog,
    children: &[Child<A::Scalar>],
) -> Result<Merged<A::Scalar>, A::Error> {
    let mut channel = Channel::new(arith, Kind::Tree, &[]);
    let merged = verify_core(&mut channel, catalog, children)?;
    channel.finish()?;
    Ok(merged)
}

/// True claims of a run.
fn run(catalog: &Catalog, tables: &Tables, draw: &mut Draw) -> Deferred<E> {
    let point = draw.some(catalog.image.log_words);
    let public = PublicClaim {
        column: catalog.image.column,
        value: reference::evaluate(&tables.dense[0], &point),
        point,
    };
    Deferred {
        circuits: Some(matrix_claims(catalog, tables, &catalog.run_groups, draw)),
        public: vec![public],
        producers: vec![producer(catalog, draw)],
    }
}

/// `sum_b c_b P_b(point)`, `P_b` being the table of `(beta + pi(e_i))^(2^b)`.
fn producer(catalog: &Catalog, draw: &mut Draw) -> ProducerClaim<E> {
    let alpha: [E; 4] = draw.some(4).try_into().unwrap();
    let beta = draw.one();
    let point = draw.some(catalog.entries.log_len);
    let weights = draw.some(5);
    let mut value = E::ZERO;
    for i in 0..1 << catalog.entries.log_len {
        let tuple = catalog.entries.coordinates.iter().enumerate();
        let mut power = tuple.fold(beta, |sum, (j, words)| sum + eq_at_index(&alpha, j) * words[i]);
        for &weight in &weights {
            value += eq_at_index(&point, i) * weight * power;
            power = power.square();
        }
    }
    ProducerClaim {
        alpha,
        beta,
        point,
        weights,
        value,
    }
}

/// True claims of a proof of rows of this kind: every fixed column at a prefix of one point, and some of them at a prefix
/// of another before.
fn tree(catalog: &Catalog, tables: &Tables, kind: bool, draw: &mut Draw) -> Deferred<E> {
    let regions = &catalog.fixed.regions;
    let (zeta, r) = (
        draw.some(catalog.fixed.log_words),
        draw.some(catalog.fixed.log_words),
    );
    let last = regions.len() - 1;
    let named = [last, 0, last].map(|column| (column, &zeta));
    let all = (0..regions.len()).map(|column| (column, &r));
    let claim = |(column, point): (usize, &Vec<E>)| {
        let region: Region = regions[column];
        let half = &tables.dense[2][usize::from(kind) << catalog.fixed.log_words..];
        let point = point[..region.log_words].to_vec();
        PublicClaim {
            column,
            value: reference::evaluate(&half[region.range()], &point),
            point,
        }
    };
    let hash = catalog.circuits.len() - 1;
    Deferred {
        circuits: Some(matrix_claims(catalog, tables, &[hash], draw)),
        public: named.into_iter().chain(all).map(claim).collect(),
        producers: vec![],
    }
}

fn matrix_claims(
    catalog: &Catalog,
    tables: &Tables,
    groups: &[usize],
    draw: &mut Draw,
) -> flock::Deferred<E> {
    let words = |circuit: usize| catalog.circuits[circuit].log_block() - 6;
    let longest = groups.iter().map(|&circuit| words(circuit)).max().unwrap();
    let (lagrange, row_point, batching) = (draw.some(64), draw.some(longest), draw.one());
    let claim = |&circuit: &usize| {
        let (slices, column_point) = (draw.some(64), draw.some(words(circuit)));
        let tensor = |bits: &[E], point: &[E], p: usize| bits[p % 64] * eq_at_index(point, p / 64);
        let mut value = E::ZERO;
        for [p, q, matrix] in tables.entries(circuit) {
            let weight = if matrix == 0 { E::ONE } else { batching };
            let row = tensor(&lagrange, &row_point[..words(circuit)], p);
            value += weight * row * tensor(&slices, &column_point, q);
        }
        MatrixClaim {
            slices,
            column_point,
            value,
        }
    };
    let claims = groups.iter().map(claim).collect();
    flock::Deferred {
        lagrange,
        row_point,
        batching,
        claims,
    }
}

/// True claims at points without a pattern.
fn carried(catalog: &Catalog, tables: &Tables, draw: &mut Draw) -> Merged<E> {
    let blocks = catalog.block_variables();
    let (point, row_point, column_point) = (
        draw.some(catalog.point_variables()),
        draw.some(blocks),
        draw.some(blocks),
    );
    tables.merged(catalog, point, row_point, column_point)
}
