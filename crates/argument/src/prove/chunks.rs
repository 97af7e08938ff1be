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
        self.join(4, |part, children, parent| {
            dispatch!(|be| products_into(be, children, part, parent));
        })
    }

    /// One chunk for sixteen of which one row each is left.
    pub(super) fn repack(&self) -> Self {
        self.join(CHUNK / ROW, |part, chunk, joined| {
            for (planes, joined) in chunk.iter().zip(joined) {
                for (plane, joined) in planes.iter().zip(joined) {
                    for (lane, &word) in plane[..ROW].iter().enumerate() {
                        joined[position(part * ROW + lane)] = word;
                    }
                }
            }
        })
    }

    /// One chunk for every `parts`: `write` gets what is asked for of each part. A missing chunk is one of ones.
    fn join(&self, parts: usize, write: impl Fn(usize, &Chunk, &mut Chunk) + Sync) -> Self {
        let mut of_equal = vec![u32::MAX; self.stored.len()];
        let mut sources: Vec<&[u32]> = Vec::new();
        let mut slots = Vec::new();
        for part in self.slots.chunks(parts) {
            let first = part[0];
            let equal = part.len() == parts && part.iter().all(|&slot| slot == first);
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
        let tasks = sources.into_iter().zip(&mut stored).collect();
        pool::for_each_item(tasks, |(source, joined): (&[u32], &mut Chunk)| {
            for part in 0..parts {
                let chunk = source
                    .get(part)
                    .map_or(&ONES, |&slot| &self.stored[slot as usize]);
                write(part, chunk, joined);
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
    let [a, b, c, d] = chunk;
    let mut at = 0;
    while at < CHUNK {
        let low = mul_e(be, load(be, a, at), load(be, b, at));
        let high = mul_e(be, load(be, c, at), load(be, d, at));
        store(be, mul_e(be, low, high), out, at);
        at += B::LANES;
    }
}

/// The product of each group, as the scalars of quarter `part` of a chunk.
#[inline(always)]
fn products_into<B: Backend>(be: B, chunk: &Chunk, part: usize, parent: &mut Chunk) {
    let mut products = [[K::ZERO; CHUNK]; 3];
    group_products(be, chunk, &mut products);
    for y in 0..CHUNK {
        let scalar = part * CHUNK + y;
        let (from, to) = (position(y), position(scalar / 4));
        for (plane, out) in products.iter().zip(&mut parent[scalar % 4]) {
            out[to] = plane[from];
        }
    }
}
