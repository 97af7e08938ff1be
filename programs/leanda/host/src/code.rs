//! The code: values of polynomials of degree below 2^14 at the 2^15 points of K with numbers `0..2^15`, bit i being
//! the coefficient of x^i.
//!
//! Its transform is the additive one of Lin, Chung and Han (FOCS 2014) over the basis 1, x, x^2, ..; the proof
//! system's own is over Cantor's basis, which has other points, so that its codewords are others too.

use std::array;
use std::ops::{AddAssign, Mul};
use std::sync::LazyLock;

use leanda_guest::{Row, SYMBOLS};
use primitives::field::K;

/// log2 of the points.
pub const LOG_SYMBOLS: usize = SYMBOLS.trailing_zeros() as usize;
/// log2 of the payload's symbols.
pub const LOG_PAYLOAD: usize = LOG_SYMBOLS - 1;
/// The symbols of a payload.
pub const PAYLOAD: usize = 1 << LOG_PAYLOAD;

/// `s_i(x^c) / s_i(x^i)` at `[i][c]`, where `s_0(X) = X` and `s_(i+1)(X) = s_i(X) (s_i(X) + s_i(x^i))`.
static SUBSPACES: LazyLock<[[K; LOG_SYMBOLS]; LOG_SYMBOLS]> = LazyLock::new(|| {
    let mut values: [K; LOG_SYMBOLS] = array::from_fn(|c| K(1 << c));
    array::from_fn(|i| {
        let at_i = values[i];
        let inverse = at_i
            .inverse()
            .expect("s_i vanishes on the points below x^i alone");
        let normalised = values.map(|value| value * inverse);
        values = values.map(|value| value * (value + at_i));
        normalised
    })
});

/// The i-th normalised subspace polynomial at a point: linear over GF(2), zero at the points below `2^i`, one at `2^i`.
///
/// # Panics
/// If `i` or the point are out of range.
#[must_use]
pub fn subspace(i: usize, point: usize) -> K {
    assert!(point < SYMBOLS, "the code has 2^15 points");
    (SUBSPACES[i].iter().enumerate())
        .map(|(c, value)| if point >> c & 1 == 1 { *value } else { K::ZERO })
        .sum()
}

/// What is transformed: words of K, or elements of a field above.
pub trait Symbol: Copy + AddAssign + Mul<K, Output = Self> {}
impl<T: Copy + AddAssign + Mul<K, Output = T>> Symbol for T {}

/// From coefficients in the novel basis to values at the points, in place: `v_p = sum_j c_j X_j(p)` with `X_j` the
/// product of the subspace polynomials of the set bits of j.
///
/// # Panics
/// If the length is no power of two of at most [`SYMBOLS`].
pub fn evaluate<T: Symbol>(values: &mut [T]) {
    for i in (0..log2(values)).rev() {
        for_blocks(values, i, |twiddle, u, v| {
            *u += *v * twiddle;
            *v += *u;
        });
    }
}

/// The inverse of [`evaluate`].
///
/// # Panics
/// As [`evaluate`].
pub fn interpolate<T: Symbol>(values: &mut [T]) {
    for i in 0..log2(values) {
        for_blocks(values, i, |twiddle, u, v| {
            *v += *u;
            *u += *v * twiddle;
        });
    }
}

fn log2<T>(values: &[T]) -> usize {
    let length = values.len();
    assert!(
        length.is_power_of_two() && length <= SYMBOLS,
        "a transform has a power of two of symbols, at most 2^15"
    );
    length.trailing_zeros() as usize
}

/// The butterflies of a layer: on pairs at distance `2^i`, with the twiddle of their block.
fn for_blocks<T>(values: &mut [T], i: usize, butterfly: impl Fn(K, &mut T, &mut T)) {
    for (b, block) in values.chunks_exact_mut(2 << i).enumerate() {
        let twiddle = subspace(i, b << (i + 1));
        let (left, right) = block.split_at_mut(1 << i);
        for (u, v) in left.iter_mut().zip(right) {
            butterfly(twiddle, u, v);
        }
    }
}

/// The codeword that begins with this payload.
#[must_use]
pub fn encode(payload: &[u64; PAYLOAD]) -> Box<Row> {
    let mut symbols: Vec<K> = payload.iter().map(|word| K(*word)).collect();
    interpolate(&mut symbols);
    symbols.resize(SYMBOLS, K::ZERO);
    evaluate(&mut symbols);
    let symbols: Vec<_> = symbols
        .iter()
        .map(|symbol| leanvm_guest::ext::K(symbol.0))
        .collect();
    symbols.try_into().expect("2^15 symbols")
}
