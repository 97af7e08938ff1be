//! Many inverses in K at once.

use alloc::vec;

use primitives::dispatch;
use primitives::field::K;
use primitives::slices::mul_k;

/// Replaces every element by its inverse, zero staying zero: three products an element, many at a time, and one
/// inversion.
///
/// # Panics
/// If the length is no power of two.
pub(super) fn invert_all(elements: &mut [K]) {
    let n = elements.len();
    assert!(n.is_power_of_two(), "a power of two of elements");
    // A binary tree, leaves first: a node is the product of two nodes half a layer apart. Zeros are ones in it.
    let mut tree = vec![K::ONE; 2 * n];
    for (leaf, element) in tree.iter_mut().zip(&*elements) {
        if *element != K::ZERO {
            *leaf = *element;
        }
    }
    let (mut start, mut size) = (0, n);
    while size > 1 {
        let (layer, above) = tree[start..].split_at_mut(size);
        start += size;
        size /= 2;
        let (left, right) = layer.split_at(size);
        dispatch!(|be| mul_k(be, left, right, &mut above[..size]));
    }
    // From the root down: a node's inverse is that of its parent times its sibling.
    let mut inverses = vec![K::ONE; n];
    inverses[0] = tree[start].inverse_or_zero();
    let mut of_children = vec![K::ONE; n];
    while size < n {
        start -= 2 * size;
        let (left, right) = tree[start..start + 2 * size].split_at(size);
        let (to_left, to_right) = of_children[..2 * size].split_at_mut(size);
        dispatch!(|be| mul_k(be, &inverses[..size], right, to_left));
        dispatch!(|be| mul_k(be, &inverses[..size], left, to_right));
        core::mem::swap(&mut inverses, &mut of_children);
        size *= 2;
    }
    for (element, inverse) in elements.iter_mut().zip(inverses) {
        if *element != K::ZERO {
            *element = inverse;
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn all_inverses_at_once_equal_the_inverses_one_by_one() {
        for log in 0..8 {
            // Every third is zero, at other places in every length.
            let elements: Vec<K> = (0..1u64 << log)
                .map(|i| {
                    K(if (i + log) % 3 == 0 {
                        0
                    } else {
                        (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
                    })
                })
                .collect();
            let mut inverses = elements.clone();
            invert_all(&mut inverses);
            let expected: Vec<K> = elements.iter().map(|element| element.inverse_or_zero()).collect();
            assert_eq!(inverses, expected);
        }
    }
}
