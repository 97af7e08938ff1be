//! The weight of the end of a table.

use primitives::field::E;

/// `sum_(u >= from) eq(point, u)`: the sum over all u is one, and below `from` it is a product for each bit.
pub(super) fn mass_from(point: &[E], from: usize) -> E {
    if from >> point.len() != 0 {
        return E::ZERO;
    }
    let mut mass = E::ONE;
    let mut above = E::ONE;
    for (bit, &r) in point.iter().enumerate().rev() {
        if from >> bit & 1 == 1 {
            mass += above * (E::ONE + r);
            above *= r;
        } else {
            above *= E::ONE + r;
        }
    }
    mass
}
