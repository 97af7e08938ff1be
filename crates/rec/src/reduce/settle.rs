//! The claims that are left at the root, settled: each polynomial evaluated once.

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

use alloc::vec;

use circuit::Circuit;
use fiat_shamir::{Arith, Label, Native, VerifyError};
use primitives::field::E;
use primitives::multilinear::{SplitEq, eq_table, evaluate};
use primitives::pool;

use super::bits::sums_over_bits;
use super::catalog::Image;
use super::{CALL, Catalog, Merged};

/// The check of the image of RAM.
pub const IMAGE: Label = Label::new("settle: image");

/// The check of the bits of the bytecode.
pub const ENTRIES: Label = Label::new("settle: entries");

/// The check of the nodes' public columns.
pub const FIXED: Label = Label::new("settle: fixed");

/// The check of a circuit's matrix: A of circuit g has number `2 g`, B `2 g + 1`.
pub const MATRIX: Label = Label::new("settle: matrix");

/// Settles the claims of a tree by evaluating each polynomial of the catalog, which has the words of the nodes' columns.
///
/// # Errors
/// [`IMAGE`], [`ENTRIES`], [`FIXED`] or [`MATRIX`]: a value claimed is another; [`CALL`] if the claims are not of the
/// catalog's form, or it has no words of the nodes' columns.
pub fn settle(catalog: &Catalog, merged: &Merged<E>) -> Result<(), VerifyError> {
    let arith = Native::default();
    let dense = merged
        .is_of(catalog)
        .then(|| values_of_dense(catalog, &merged.point));
    let Some([image, entries, fixed]) = dense.flatten() else {
        return arith.assert_eq(E::ZERO, E::ONE, CALL);
    };
    arith.assert_eq(image, merged.image, IMAGE)?;
    arith.assert_eq(entries, merged.entries, ENTRIES)?;
    arith.assert_eq(fixed, merged.fixed, FIXED)?;
    let values = pool::map(catalog.circuits(), |circuit| {
        let circuit = catalog.circuits.get(circuit)?;
        values_of_matrices(circuit, &merged.row_point, &merged.column_point)
    });
    let values = values.into_iter().flat_map(Option::unwrap_or_default);
    for (number, (value, &claimed)) in values.zip(merged.matrices.iter().flatten()).enumerate() {
        arith.assert_eq(value, claimed, MATRIX.at(number))?;
    }
    Ok(())
}

/// The values of image, entries and fixed at a point, if it is long enough and the catalog has all words.
pub(super) fn values_of_dense(catalog: &Catalog, point: &[E]) -> Option<[E; 3]> {
    let [image, entries, fixed] = catalog.variables();
    let (tuples, bits) = point.get(..entries)?.split_at_checked(catalog.entries.log_len)?;
    let fixed = point.get(..fixed)?;
    if catalog.fixed.words.len().checked_ilog2() != u32::try_from(fixed.len()).ok() {
        return None;
    }
    Some([
        value_of_image(&catalog.image, point.get(..image)?),
        evaluate(&sums_over_bits(&catalog.entries, &eq_table(bits)), tuples),
        evaluate(&catalog.fixed.words, fixed),
    ])
}

/// Variables of the low table of an [`SplitEq`].
const LOW_VARIABLES: usize = 10;

fn value_of_image(image: &Image, point: &[E]) -> E {
    let eq = SplitEq::new(point, E::ONE, LOW_VARIABLES);
    let arith = Native::default();
    let low_variables = eq.low.len().trailing_zeros();
    let term = |&(index, word): &(u32, _)| {
        let index = usize::try_from(index).ok()?;
        let low = eq.low.get(index & eq.low.len().wrapping_sub(1))?;
        let high = eq.high.get(index.checked_shr(low_variables)?)?;
        Some(arith.mul_k(arith.mul(*low, *high), word))
    };
    image.words.iter().filter_map(term).sum()
}

/// A and B of a circuit at the first coordinates of the points, if these are long enough.
pub(super) fn values_of_matrices(circuit: &Circuit, row_point: &[E], column_point: &[E]) -> Option<[E; 2]> {
    let row_point = row_point.get(..circuit.log_block())?;
    let columns = eq_table(column_point.get(..circuit.log_block())?);
    let mut a = vec![E::ZERO; columns.len()];
    let mut b = a.clone();
    circuit.forward(&columns, &mut a, &mut b);
    Some([evaluate(&a, row_point), evaluate(&b, row_point)])
}
