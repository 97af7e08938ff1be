//! The kernels of every back end that the machine has, on one thread, on inputs that stay in the first cache.
//!
//! What the carry-less multiplier allows: one instruction gives half as many products as a vector has words (one, on
//! 128 bits), and CPUs start one a cycle. A product in K takes 2 products (one of the reduction), one in E 9, one of E
//! and K 6; a term of a sum of products, reduced once, takes 1 in K, 6 in E, 3 of E and K. So with vectors of w words
//! the bounds are 2 / w cycles for a product of one carry-less product: 4 / w for one in K, 18 / w for one in E.

use bench::{Target, Work, black_box};
use primitives::backend::{self, Backend, Token, available};
use primitives::field::{E, K};
use primitives::multilinear::fill_eq_table;
use primitives::{dispatch, slices};

/// Words: enough that entering the back end, once a call, does not show; few enough for the first cache.
const WORDS: usize = 1024;
/// Elements of E.
const LENGTH: usize = 512;

fn main() {
    let mut target = Target::from_args("kernels");
    for token in available() {
        backend::force(token.kind()).expect("an available back end");
        scalars(&mut target, token);
        products(&mut target, token);
        sums_of_products(&mut target, token);
        folds(&mut target, token);
        maps_of_bytes(&mut target, token);
        transposes(&mut target, token);
    }
    target.finish();
}

/// At the start of a cache line, as large buffers of a prover are, or every second access would touch two.
fn aligned<T: Copy>(values: &[T], filler: T) -> &'static mut [T] {
    let mut buffer = vec![filler; values.len() + 8];
    let start = (0..8).find(|i| buffer[*i..].as_ptr().addr().is_multiple_of(64));
    let start = start.expect("an allocation is aligned to words, and an element has an odd number of them");
    buffer[start..][..values.len()].copy_from_slice(values);
    &mut buffer.leak()[start..][..values.len()]
}

fn words(length: usize, seed: u64) -> &'static mut [K] {
    let word = |i: u64| K::X.pow(i.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed);
    aligned(&(1..=length as u64).map(word).collect::<Vec<_>>(), K::ZERO)
}

fn elements(length: usize, seed: u64) -> &'static mut [E] {
    let words = words(3 * length, seed);
    let (elements, _) = words.as_chunks();
    aligned(
        &elements
            .iter()
            .map(|coefficients| E(*coefficients))
            .collect::<Vec<_>>(),
        E::ZERO,
    )
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
    let (a, b, out) = (words(WORDS, 3), words(WORDS, 4), words(WORDS, 0));
    target.case(&format!("{kind}/K product"), per(WORDS, "product"), || {
        dispatch!(token, |be| slices::mul_k(be, black_box(a), b, out));
    });
    target.case(
        &format!("{kind}/K product by one scalar, added"),
        per(WORDS, "product"),
        || {
            dispatch!(token, |be| slices::add_scaled_k(be, out, black_box(a[1]), b));
        },
    );
    target.case(&format!("{kind}/byte product"), per(8 * WORDS, "byte"), || {
        dispatch!(token, |be| slices::mul_bytes(be, black_box(a), b, out));
    });
    let (x, y, out) = (elements(LENGTH, 5), elements(LENGTH, 6), elements(LENGTH, 0));
    target.case(&format!("{kind}/E product"), per(LENGTH, "product"), || {
        dispatch!(token, |be| slices::mul_e(be, black_box(x), y, out));
    });
    target.case(
        &format!("{kind}/E product by one scalar"),
        per(LENGTH, "product"),
        || {
            dispatch!(token, |be| slices::scale(be, black_box(x[1]), y, out));
        },
    );
}

fn sums_of_products(target: &mut Target, token: Token) {
    let kind = token.kind();
    let (a, b) = (words(WORDS, 7), words(WORDS, 8));
    let (x, y) = (elements(LENGTH, 9), elements(LENGTH, 10));
    target.case(&format!("{kind}/K dot product"), per(WORDS, "term"), || {
        dispatch!(token, |be| slices::dot_k(be, black_box(a), b))
    });
    target.case(&format!("{kind}/E by K dot product"), per(LENGTH, "term"), || {
        dispatch!(token, |be| slices::dot_ek(be, black_box(x), &b[..LENGTH]))
    });
    target.case(&format!("{kind}/E dot product"), per(LENGTH, "term"), || {
        dispatch!(token, |be| slices::dot_e(be, black_box(x), y))
    });
}

/// Bytes by matrices of 8x8 bits, where there is an instruction for it.
fn maps_of_bytes(target: &mut Target, token: Token) {
    if !dispatch!(token, |be| be.maps_bytes()) {
        return;
    }
    let (matrices, bytes) = (words(8, 14), words(WORDS, 15));
    let name = format!("{}/map of a byte", token.kind());
    target.case(&name, per(8 * matrices.len() * WORDS, "byte"), || {
        dispatch!(token, |be| map_sum(be, black_box(matrices), bytes))
    });
}

/// The sum of the images of all bytes by all of eight matrices.
#[inline(always)]
fn map_sum<B: Backend>(be: B, matrices: &[K], bytes: &[K]) -> K {
    let mut sums = [be.splat(K::ZERO); 8];
    for bytes in bytes.chunks_exact(B::LANES) {
        let bytes = be.load(bytes);
        for (sum, &matrix) in sums.iter_mut().zip(matrices) {
            *sum = be.xor(*sum, be.map_bytes(be.splat(matrix), bytes));
        }
    }
    sums.into_iter().fold(K::ZERO, |total, sum| total + be.sum(sum))
}

fn folds(target: &mut Target, token: Token) {
    let kind = token.kind();
    let (k, e) = (words(2 * LENGTH, 11), elements(2 * LENGTH, 12));
    let (r, out) = (elements(1, 13)[0], elements(LENGTH, 0));
    target.case(
        &format!("{kind}/fold of the lowest variable, K"),
        per(LENGTH, "pair"),
        || {
            dispatch!(token, |be| slices::fold_lowest(be, black_box(k), r, out));
        },
    );
    target.case(
        &format!("{kind}/fold of the lowest variable, E"),
        per(LENGTH, "pair"),
        || {
            dispatch!(token, |be| slices::fold_lowest(be, black_box(e), r, out));
        },
    );
    target.case(
        &format!("{kind}/fold of the highest variable, K"),
        per(LENGTH, "pair"),
        || {
            let (low, high) = k.split_at(LENGTH);
            dispatch!(token, |be| slices::fold_highest(be, black_box(low), high, r, out));
        },
    );
    target.case(
        &format!("{kind}/fold of the highest variable, E"),
        per(LENGTH, "pair"),
        || {
            let (low, high) = e.split_at(LENGTH);
            dispatch!(token, |be| slices::fold_highest(be, black_box(low), high, r, out));
        },
    );
    let point = elements(LENGTH.trailing_zeros() as usize, 14);
    target.case(&format!("{kind}/eq table"), per(LENGTH, "entry"), || {
        dispatch!(token, |be| fill_eq_table(be, black_box(point), r, out));
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
                for matrix in black_box(&mut matrix) {
                    be.transpose_64x64(matrix);
                }
            });
        },
    );
}
