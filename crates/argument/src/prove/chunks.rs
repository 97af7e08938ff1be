//! Tables of groups of four scalars, in chunks whose lowest variables are bound without moving words between lanes.
//!
//! Group y of a table is its scalars `4 y + a`, a < 4: the four grandchildren of a node. A chunk holds 2^7 groups,
//! a plane of words for each a and each coefficient of 1, y, y^2. Within a plane, group `16 lane + row` of the chunk
//! stands at `8 row + lane`: the lowest variables are those of the row, so pairs of a round are whole rows, on any
//! back end. Four rounds leave one row of a chunk; then sixteen chunks become one ([`Chunks::repack`]).
//!
//! After the stored groups come groups of ones. Chunks that are equal are stored once.

use alloc::vec;
use alloc::vec::Vec;

use primitives::backend::{Backend, MAX_LANES};
use primitives::field::{E, K};
use primitives::vectors::{VectorE, mul_e};
use primitives::{dispatch, pool};

/// Chunks of one task.
pub(super) const TASK: usize = 16;

/// Lanes of a row.
pub(super) const ROW: usize = MAX_LANES;

/// log2 of the rows of a chunk.
pub(super) const LOG_ROWS: usize = 4;

/// log2 of the groups of a chunk.
pub(super) const LOG_CHUNK: usize = LOG_ROWS + ROW.ilog2() as usize;

/// Groups of a chunk.
pub(super) const CHUNK: usize = 1 << LOG_CHUNK;

/// log2 of the scalars of a chunk.
pub(super) const LOG_SCALARS: usize = LOG_CHUNK + 2;

/// Scalars of a chunk.
pub(super) const SCALARS: usize = 1 << LOG_SCALARS;

/// The words of one coefficient.
pub(super) type Plane = [K; CHUNK];

/// The coefficients of 1, y, y^2.
pub(super) type Planes = [Plane; 3];

/// The scalars `4 y + a`, for each a.
pub(super) type Chunk = [Planes; 4];

/// A chunk of ones.
pub(super) const ONES: Chunk = [[[K::ONE; CHUNK], [K::ZERO; CHUNK], [K::ZERO; CHUNK]]; 4];

/// Where group y of a chunk stands in a plane.
#[inline(always)]
pub(super) const fn position(y: usize) -> usize {
    (y % (1 << LOG_ROWS)) * ROW + (y >> LOG_ROWS)
}

/// Stored chunks of a table.
#[derive(Clone)]
pub(super) struct Chunks {
    /// Where each chunk before the ones is stored.
    pub(super) slots: Vec<u32>,
    /// Those that are stored.
    pub(super) stored: Vec<Chunk>,
}

/// Chunks whose words nobody has written.
pub(super) fn zeroed(count: usize) -> Vec<Chunk> {
    let words = size_of::<Chunk>() / size_of::<u64>() * count;
    bytemuck::allocation::cast_slice_box::<u64, Chunk>(vec![0u64; words].into_boxed_slice()).into_vec()
}

impl Chunks {
    /// The products of all groups, as the scalars of a table: the layer above.
    pub(super) fn parents(&self) -> Self {
        self.join(|children: [&Chunk; 4], parent| dispatch!(|be| parent_of(be, children, parent)))
    }

    /// One chunk for sixteen of which one row each is left.
    pub(super) fn repack(&self) -> Self {
        self.join(|chunks: [&Chunk; CHUNK / ROW], joined| dispatch!(|be| repack(be, chunks, joined)))
    }

    /// One chunk for every N. A missing chunk is one of ones.
    fn join<const N: usize>(&self, write: impl Fn([&Chunk; N], &mut Chunk) + Sync) -> Self {
        let mut of_equal = vec![u32::MAX; self.stored.len()];
        let mut sources: Vec<&[u32]> = Vec::new();
        let mut slots = Vec::new();
        for part in self.slots.chunks(N) {
            let first = part[0];
            let equal = part.len() == N && part.iter().all(|&slot| slot == first);
            let new = sources.len() as u32;
            if equal && of_equal[first as usize] != u32::MAX {
                slots.push(of_equal[first as usize]);
                continue;
            }
            if equal {
                of_equal[first as usize] = new;
            }
            slots.push(new);
            sources.push(part);
        }
        let mut stored = zeroed(sources.len());
        let tasks: Vec<_> = sources.chunks(TASK).zip(stored.chunks_mut(TASK)).collect();
        pool::for_each_item(tasks, |(sources, joined)| {
            for (source, joined) in sources.iter().zip(joined) {
                let part = |part: usize| {
                    source
                        .get(part)
                        .map_or(&ONES, |&slot| &self.stored[slot as usize])
                };
                write(core::array::from_fn(part), joined);
            }
        });
        Self { slots, stored }
    }

    /// The product of every group, of 2^`log_groups` in all.
    pub(super) fn products(&self, log_groups: usize) -> Vec<E> {
        let mut products = vec![E::ONE; 1 << log_groups];
        for (products, &slot) in products.chunks_mut(CHUNK).zip(&self.slots) {
            let mut words = [[K::ZERO; CHUNK]; 3];
            dispatch!(|be| group_products(be, &self.stored[slot as usize], &mut words));
            for (y, product) in products.iter_mut().enumerate() {
                *product = scalar(&words, position(y));
            }
        }
        products
    }

    /// What is left when one row of each chunk is: the groups, of 2^`log_groups` in all.
    pub(super) fn groups(&self, log_groups: usize) -> Vec<[E; 4]> {
        let mut groups = vec![[E::ONE; 4]; 1 << log_groups];
        for (groups, &slot) in groups.chunks_mut(ROW).zip(&self.slots) {
            let chunk = &self.stored[slot as usize];
            for (lane, group) in groups.iter_mut().enumerate() {
                *group = chunk.each_ref().map(|planes| scalar(planes, lane));
            }
        }
        groups
    }
}

/// Writes at most [`SCALARS`] scalars, and ones after them.
pub(super) fn write(chunk: &mut Chunk, scalars: &[E]) {
    for i in 0..SCALARS {
        let scalar = scalars.get(i).copied().unwrap_or(E::ONE);
        for (plane, word) in chunk[i % 4].iter_mut().zip(scalar.0) {
            plane[position(i / 4)] = word;
        }
    }
}

/// The scalar at a position.
pub(super) fn scalar(planes: &Planes, position: usize) -> E {
    E(planes.each_ref().map(|plane| plane[position]))
}

/// The vector at a position.
#[inline(always)]
pub(super) fn load<B: Backend, const N: usize>(be: B, [p0, p1, p2]: &[[K; N]; 3], at: usize) -> VectorE<B> {
    [be.load(&p0[at..]), be.load(&p1[at..]), be.load(&p2[at..])]
}

/// Writes the vector at a position.
#[inline(always)]
pub(super) fn store<B: Backend, const N: usize>(
    be: B,
    [v0, v1, v2]: VectorE<B>,
    [p0, p1, p2]: &mut [[K; N]; 3],
    at: usize,
) {
    be.store(v0, &mut p0[at..]);
    be.store(v1, &mut p1[at..]);
    be.store(v2, &mut p2[at..]);
}

/// The product of each group, where the group stands.
#[inline(always)]
fn group_products<B: Backend>(be: B, chunk: &Chunk, out: &mut Planes) {
    let mut at = 0;
    while at < CHUNK {
        store(be, product_at(be, chunk, at), out, at);
        at += B::LANES;
    }
}

#[inline(always)]
fn product_at<B: Backend>(be: B, [a, b, c, d]: &Chunk, at: usize) -> VectorE<B> {
    let low = mul_e(be, load(be, a, at), load(be, b, at));
    let high = mul_e(be, load(be, c, at), load(be, d, at));
    mul_e(be, low, high)
}

/// The products of the groups of four chunks, as the scalars of one.
#[inline(always)]
pub(super) fn parent_of<B: Backend>(be: B, children: [&Chunk; 4], parent: &mut Chunk) {
    match B::LANES {
        8 => parent_in_vectors::<B, 4>(be, children, parent),
        4 => parent_in_vectors::<B, 8>(be, children, parent),
        2 => parent_in_vectors::<B, 16>(be, children, parent),
        _ => parent_in_vectors::<B, 32>(be, children, parent),
    }
}

/// [`parent_of`], N being the vectors of four rows.
#[inline(always)]
fn parent_in_vectors<B: Backend, const N: usize>(be: B, children: [&Chunk; 4], parent: &mut Chunk) {
    assert_eq!(N * B::LANES, 4 * ROW, "vectors of four rows");
    // Group `16 lane + row` of child `part` is scalar `row % 4` of group `32 part + 4 lane + row / 4`. With the bits
    // of the lane h, q (two), this group is in row `4 q + row / 4`, lane `2 part + h`. So the bits of a word's place
    // in four rows, part (two), h, q (two), become q, part, h: zips move the top bit below the others, three times.
    for row in 0..1 << LOG_ROWS {
        let mut words = [[be.splat(K::ZERO); N]; 3];
        for i in 0..N {
            let (part, lane) = (i * B::LANES / ROW, i * B::LANES % ROW);
            let product = product_at(be, children[part], row * ROW + lane);
            for (words, coefficient) in words.iter_mut().zip(product) {
                words[i] = coefficient;
            }
        }
        for (words, plane) in words.iter_mut().zip(&mut parent[row % 4]) {
            for _ in 0..3 {
                let from = *words;
                for i in 0..N / 2 {
                    (words[2 * i], words[2 * i + 1]) = be.zip(from[i], from[N / 2 + i]);
                }
            }
            for (i, &vector) in words.iter().enumerate() {
                let (q, lane) = (i * B::LANES / ROW, i * B::LANES % ROW);
                be.store(vector, &mut plane[(4 * q + row / 4) * ROW + lane..]);
            }
        }
    }
}

/// The first rows of sixteen chunks, as one.
#[inline(always)]
pub(super) fn repack<B: Backend>(be: B, chunks: [&Chunk; CHUNK / ROW], joined: &mut Chunk) {
    // Group `8 part + lane` is in row `8 (part % 2) + lane`, lane `part / 2`.
    for a in 0..4 {
        for coefficient in 0..3 {
            for odd in 0..2 {
                for (from, to) in squares::<B>() {
                    let mut square = [be.splat(K::ZERO); MAX_LANES];
                    for (i, vector) in square[..B::LANES].iter_mut().enumerate() {
                        *vector = be.load(&chunks[2 * (to + i) + odd][a][coefficient][from..]);
                    }
                    square = transpose(be, square);
                    for (i, &vector) in square[..B::LANES].iter().enumerate() {
                        be.store(
                            vector,
                            &mut joined[a][coefficient][(8 * odd + from + i) * ROW + to..],
                        );
                    }
                }
            }
        }
    }
}

/// Writes scalars that are in order, the coefficients of each in a row.
#[inline(always)]
pub(super) fn write_in_order<B: Backend>(be: B, scalars: &[[K; SCALARS]; 3], chunk: &mut Chunk) {
    // Scalar `64 lane + 4 row + a` goes to plane a, `8 row + lane`.
    for (coefficient, words) in scalars.iter().enumerate() {
        for first in (0..SCALARS / ROW).step_by(ROW) {
            for (from, to) in squares::<B>() {
                let mut square = [be.splat(K::ZERO); MAX_LANES];
                for (i, vector) in square[..B::LANES].iter_mut().enumerate() {
                    *vector = be.load(&words[(to + i) * (SCALARS / ROW) + first + from..]);
                }
                square = transpose(be, square);
                for (i, &vector) in square[..B::LANES].iter().enumerate() {
                    let scalar = first + from + i;
                    be.store(
                        vector,
                        &mut chunk[scalar % 4][coefficient][scalar / 4 * ROW + to..],
                    );
                }
            }
        }
    }
}

/// The squares of vectors that a square of [`ROW`] words is transposed by: the first column of each, and its first
/// row.
#[inline(always)]
fn squares<B: Backend>() -> impl Iterator<Item = (usize, usize)> {
    let starts = || (0..ROW).step_by(B::LANES);
    starts().flat_map(move |from| starts().map(move |to| (from, to)))
}

/// The transpose of a square of `LANES` vectors; those after them are of no matter.
#[inline(always)]
pub(super) fn transpose<B: Backend>(be: B, mut square: [B::V; MAX_LANES]) -> [B::V; MAX_LANES] {
    // Each round moves the top bit of the vector's number below the lane's bits.
    for _ in 0..B::LANES.ilog2() {
        let from = square;
        for i in 0..B::LANES / 2 {
            (square[2 * i], square[2 * i + 1]) = be.zip(from[i], from[i + B::LANES / 2]);
        }
    }
    square
}

const _: () = assert!(ROW == 8, "three bits of a lane");
