//! The kernels of every back end that the machine has, on one thread, on inputs that stay in the first cache.
//!
//! The figures are to be read beside what the carry-less multiplier allows: a product in K takes 2 carry-less products
//! (one, and one of its reduction), a term of a dot product in K 1, one in E 6, a product in E 9.

use bench::{Target, Work, black_box};
use primitives::backend::{self, Token, available};
use primitives::field::{E, K};
use primitives::multilinear::fill_eq_table;
use primitives::{bits, dispatch, slices};

/// Elements of K, of 8 bytes, and of E, of 24.
const LENGTH: usize = 512;

fn main() {
    let mut target = Target::from_args("kernels");
    for token in available() {
        backend::force(token.kind()).expect("an available back end");
        scalars(&mut target, token);
        products(&mut target, token);
        sums_of_products(&mut target, token);
        folds(&mut target, token);
        transposes(&mut target, token);
    }
    target.finish();
}

fn words(length: usize, seed: u64) -> Vec<K> {
    (1..=length as u64)
        .map(|i| K::X.pow(i.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed))
        .collect()
}

fn elements(length: usize, seed: u64) -> Vec<E> {
    words(3 * length, seed)
        .as_chunks()
        .0
        .iter()
        .map(|coefficients| E(*coefficients))
        .collect()
}

fn per(calls: usize, what: &'static str) -> Work {
    Work::PerCall { calls, what }
}

/// Operations outside of any dispatch, each waiting for the one before.
fn scalars(target: &mut Target, token: Token) {
    let (k, e) = (words(2, 1), elements(2, 2));
    let kind = token.kind();
    let chain = per(LENGTH, "call");
    let name = |operation: &str| format!("{kind}/scalar {operation}");
    target.case(&name("K product"), chain, || {
        (0..LENGTH).fold(black_box(k[0]), |a, _| a * k[1])
    });
    target.case(&name("K square"), chain, || {
        (0..LENGTH).fold(black_box(k[0]), |a, _| a.square())
    });
    target.case(&name("E product"), chain, || {
        (0..LENGTH).fold(black_box(e[0]), |a, _| a * e[1])
    });
    target.case(&name("E square"), chain, || {
        (0..LENGTH).fold(black_box(e[0]), |a, _| a.square())
    });
    target.case(&name("K inverse"), per(1, "call"), || {
        black_box(k[0]).inverse_or_zero()
    });
    target.case(&name("E inverse"), per(1, "call"), || {
        black_box(e[0]).inverse_or_zero()
    });
}

fn products(target: &mut Target, token: Token) {
    let kind = token.kind();
    let (a, b, mut out) = (words(LENGTH, 3), words(LENGTH, 4), vec![K::ZERO; LENGTH]);
    target.case(&format!("{kind}/K product"), per(LENGTH, "product"), || {
        dispatch!(token, |be| slices::mul_k(be, black_box(&a), &b, &mut out));
    });
    target.case(
        &format!("{kind}/K product by one scalar, added"),
        per(LENGTH, "product"),
        || {
            dispatch!(token, |be| slices::add_scaled_k(
                be,
                &mut out,
                black_box(a[1]),
                &b
            ));
        },
    );
    target.case(&format!("{kind}/byte product"), per(8 * LENGTH, "byte"), || {
        dispatch!(token, |be| slices::mul_bytes(be, black_box(&a), &b, &mut out));
    });
    let (x, y, mut out) = (elements(LENGTH, 5), elements(LENGTH, 6), vec![E::ZERO; LENGTH]);
    target.case(&format!("{kind}/E product"), per(LENGTH, "product"), || {
        dispatch!(token, |be| slices::mul_e(be, black_box(&x), &y, &mut out));
    });
    target.case(
        &format!("{kind}/E product by one scalar"),
        per(LENGTH, "product"),
        || {
            dispatch!(token, |be| slices::scale(be, black_box(x[1]), &y, &mut out));
        },
    );
}

fn sums_of_products(target: &mut Target, token: Token) {
    let kind = token.kind();
    let (a, b) = (words(LENGTH, 7), words(LENGTH, 8));
    let (x, y) = (elements(LENGTH, 9), elements(LENGTH, 10));
    target.case(&format!("{kind}/K dot product"), per(LENGTH, "term"), || {
        dispatch!(token, |be| slices::dot_k(be, black_box(&a), &b))
    });
    target.case(&format!("{kind}/E by K dot product"), per(LENGTH, "term"), || {
        dispatch!(token, |be| slices::dot_ek(be, black_box(&x), &b))
    });
    target.case(&format!("{kind}/E dot product"), per(LENGTH, "term"), || {
        dispatch!(token, |be| slices::dot_e(be, black_box(&x), &y))
    });
}

fn folds(target: &mut Target, token: Token) {
    let kind = token.kind();
    let (k, e) = (words(2 * LENGTH, 11), elements(2 * LENGTH, 12));
    let (r, mut out) = (elements(1, 13)[0], vec![E::ZERO; LENGTH]);
    target.case(
        &format!("{kind}/fold of the lowest variable, K"),
        per(LENGTH, "pair"),
        || {
            dispatch!(token, |be| slices::fold_lowest(be, black_box(&k), r, &mut out));
        },
    );
    target.case(
        &format!("{kind}/fold of the lowest variable, E"),
        per(LENGTH, "pair"),
        || {
            dispatch!(token, |be| slices::fold_lowest(be, black_box(&e), r, &mut out));
        },
    );
    target.case(
        &format!("{kind}/fold of the highest variable, K"),
        per(LENGTH, "pair"),
        || {
            let (low, high) = k.split_at(LENGTH);
            dispatch!(token, |be| slices::fold_highest(
                be,
                black_box(low),
                high,
                r,
                &mut out
            ));
        },
    );
    target.case(
        &format!("{kind}/fold of the highest variable, E"),
        per(LENGTH, "pair"),
        || {
            let (low, high) = e.split_at(LENGTH);
            dispatch!(token, |be| slices::fold_highest(
                be,
                black_box(low),
                high,
                r,
                &mut out
            ));
        },
    );
    let point = elements(LENGTH.trailing_zeros() as usize, 14);
    target.case(&format!("{kind}/eq table"), per(LENGTH, "entry"), || {
        dispatch!(token, |be| fill_eq_table(be, black_box(&point), r, &mut out));
    });
}

fn transposes(target: &mut Target, token: Token) {
    let kind = token.kind();
    let mut matrix = [[0; 64]; 8];
    let mut state = 1u64;
    for word in matrix.as_flattened_mut() {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        *word = state;
    }
    target.case(
        &format!("{kind}/64x64 bit transpose"),
        per(8, "transpose"),
        || {
            dispatch!(token, |be| {
                let _ = be;
                for matrix in black_box(&mut matrix) {
                    bits::transpose_64x64(matrix);
                }
            });
        },
    );
}
