//! What a node says of its child, in four words: a digest of the child's output and of the claims that its proof leaves.
//!
//! The claims are on polynomials that the program and the circuits fix. Who verifies a node is given them beside the
//! proof, recomputes the digest, and settles them.

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
use fiat_shamir::{Arith, Item, Kind, Transcript};
use flock::MatrixClaim;

/// The digest of an output and of deferred claims.
///
/// It is the state of a transcript of kind [`Kind::Tree`] whose shape is the number of words of the output, after the
/// words and the scalars of the claims, in the order of their fields.
///
/// # Soundness
/// The digest binds a list of scalars. How many claims there are, of which columns and of how many variables, is fixed
/// by the child's shape, and the caller compares it.
#[must_use]
pub fn digest<A: Arith>(arith: &A, output: &[A::Word], deferred: &Deferred<A::Scalar>) -> A::Digest {
    let words = u64::try_from(output.len()).unwrap_or(u64::MAX);
    let mut transcript = Transcript::new(arith, Kind::Tree, &[words]);
    for &word in output {
        transcript.absorb(arith, Item::Word(word));
    }
    for scalar in scalars(deferred) {
        transcript.absorb(arith, Item::Scalar(scalar));
    }
    transcript.flush(arith)
}

/// All scalars of deferred claims, in the order of their fields.
fn scalars<S: Copy>(deferred: &Deferred<S>) -> Vec<S> {
    let mut scalars = Vec::new();
    if let Some(circuits) = &deferred.circuits {
        scalars.extend(&circuits.lagrange);
        scalars.extend(&circuits.row_point);
        scalars.push(circuits.batching);
        for claim in &circuits.claims {
            scalars.extend(&claim.slices);
            scalars.extend(&claim.column_point);
            scalars.push(claim.value);
        }
    }
    for claim in &deferred.public {
        scalars.extend(&claim.point);
        scalars.push(claim.value);
    }
    for claim in &deferred.producers {
        scalars.extend(&claim.alpha);
        scalars.push(claim.beta);
        scalars.extend(&claim.point);
        scalars.extend(&claim.weights);
        scalars.push(claim.value);
    }
    scalars
}

/// The claims with every scalar replaced.
pub(crate) fn map<S: Copy, T>(deferred: &Deferred<S>, replace: impl Fn(S) -> T) -> Deferred<T> {
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
