//! What a child of a node leaves, and what a tree carries.

#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::as_conversions,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

use alloc::vec::Vec;

use argument::{Deferred, ProducerClaim, PublicClaim};
use flock::MatrixClaim;

use super::Catalog;

/// What the proof of a child leaves.
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use = "the claims are to be reduced"]
pub enum Child<S> {
    /// A run.
    Run(Deferred<S>),
    /// A first-level node or a node.
    Tree {
        /// What its proof of rows leaves: claims on fixed columns and on HASH's circuit.
        deferred: Deferred<S>,
        /// What its statement carries.
        carried: Merged<S>,
    },
}

impl<S: Copy> Child<S> {
    /// The claims with every scalar replaced.
    pub fn map<T>(&self, replace: impl Fn(S) -> T) -> Child<T> {
        match self {
            Self::Run(deferred) => Child::Run(map(deferred, replace)),
            Self::Tree { deferred, carried } => Child::Tree {
                carried: carried.map(&replace),
                deferred: map(deferred, replace),
            },
        }
    }
}

/// One claim on each polynomial of a [`Catalog`]: what a tree carries.
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use = "a tree shows nothing until its claims are settled by `settle`"]
pub struct Merged<S> {
    /// The point of the dense polynomials, variable 0 first; one with fewer variables takes the first coordinates.
    pub point: Vec<S>,
    /// The image of RAM there.
    pub image: S,
    /// The bits of the bytecode there.
    pub entries: S,
    /// The nodes' public columns there.
    pub fixed: S,
    /// The point of rows of the circuits' matrices, bit 0 of a position first; a smaller circuit takes the first
    /// coordinates.
    pub row_point: Vec<S>,
    /// The point of columns.
    pub column_point: Vec<S>,
    /// Of each circuit A and B there.
    pub matrices: Vec<[S; 2]>,
}

impl<S: Copy> Merged<S> {
    /// How many scalars this is for a catalog.
    #[must_use]
    pub fn count(catalog: &Catalog) -> usize {
        let matrices = catalog.circuits().saturating_add(catalog.block_variables());
        (catalog.point_variables().saturating_add(3)).saturating_add(matrices.saturating_mul(2))
    }

    /// All scalars, in the order of the fields.
    #[must_use]
    pub fn scalars(&self) -> Vec<S> {
        let mut scalars = self.point.clone();
        scalars.extend([self.image, self.entries, self.fixed]);
        scalars.extend(&self.row_point);
        scalars.extend(&self.column_point);
        scalars.extend(self.matrices.iter().flatten());
        scalars
    }

    /// The claims with these [scalars](Self::scalars), if there are [as many](Self::count) as the catalog has.
    #[must_use]
    pub fn from_scalars(catalog: &Catalog, scalars: &[S]) -> Option<Self> {
        let (point, rest) = scalars.split_at_checked(catalog.point_variables())?;
        let (&[image, entries, fixed], rest) = rest.split_first_chunk()?;
        let (row_point, rest) = rest.split_at_checked(catalog.block_variables())?;
        let (column_point, rest) = rest.split_at_checked(catalog.block_variables())?;
        let (matrices, rest) = rest.as_chunks();
        (matrices.len() == catalog.circuits() && rest.is_empty()).then(|| Self {
            point: point.to_vec(),
            image,
            entries,
            fixed,
            row_point: row_point.to_vec(),
            column_point: column_point.to_vec(),
            matrices: matrices.to_vec(),
        })
    }

    /// The claims with every scalar replaced.
    pub fn map<T>(&self, replace: impl Fn(S) -> T) -> Merged<T> {
        let all = |scalars: &[S]| scalars.iter().map(|&scalar| replace(scalar)).collect();
        Merged {
            point: all(&self.point),
            image: replace(self.image),
            entries: replace(self.entries),
            fixed: replace(self.fixed),
            row_point: all(&self.row_point),
            column_point: all(&self.column_point),
            matrices: self.matrices.iter().map(|pair| pair.map(&replace)).collect(),
        }
    }

    /// Whether this is of the form that a catalog's claims have.
    pub(super) fn is_of(&self, catalog: &Catalog) -> bool {
        let blocks = catalog.block_variables();
        self.point.len() == catalog.point_variables()
            && [self.row_point.len(), self.column_point.len()] == [blocks; 2]
            && self.matrices.len() == catalog.circuits()
    }
}

/// The claims with every scalar replaced.
fn map<S: Copy, T>(deferred: &Deferred<S>, replace: impl Fn(S) -> T) -> Deferred<T> {
    let all = |scalars: &[S]| scalars.iter().map(|&scalar| replace(scalar)).collect::<Vec<T>>();
    let matrix = |claim: &MatrixClaim<S>| MatrixClaim {
        slices: all(&claim.slices),
        column_point: all(&claim.column_point),
        value: replace(claim.value),
    };
    let public = |claim: &PublicClaim<S>| PublicClaim {
        column: claim.column,
        point: all(&claim.point),
        value: replace(claim.value),
    };
    let producer = |claim: &ProducerClaim<S>| ProducerClaim {
        alpha: claim.alpha.map(&replace),
        beta: replace(claim.beta),
        point: all(&claim.point),
        weights: all(&claim.weights),
        value: replace(claim.value),
    };
    Deferred {
        circuits: (deferred.circuits.as_ref()).map(|circuits| flock::Deferred {
            lagrange: all(&circuits.lagrange),
            row_point: all(&circuits.row_point),
            batching: replace(circuits.batching),
            claims: circuits.claims.iter().map(matrix).collect(),
        }),
        public: deferred.public.iter().map(public).collect(),
        producers: deferred.producers.iter().map(producer).collect(),
    }
}
