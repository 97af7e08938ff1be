//! The weights of a packed column that is larger than a chunk: `Phi(scale eq(point, .))`, tile by tile.
//!
//! `eq(point, .)` is a product: of the variables below [`TILE`], of the others in a chunk, and of those above. The last
//! two and the scale make one scalar for each tile. What the first make of it, the map's tables for that row say, which
//! is one for all pieces whose points begin alike.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use primitives::backend::Backend;
use primitives::field::{E, K};
use primitives::multilinear::eq_table;
use primitives::vectors::{mul_e, splat_e};

use super::Region;
use crate::ring_switch::CHALLENGES;
use crate::ring_switch::tables::{TILE, Tables, TileTables};
use crate::whir::weights::{CHUNK, Chunk};

/// Variables within a tile.
const LOG_TILE: usize = TILE.ilog2() as usize;

/// Tiles of a chunk.
const TILES: usize = CHUNK / TILE;

/// The map, and its tables for the rows that were asked for.
pub(super) struct Rows {
    map: Tables,
    rows: Vec<(Vec<E>, Arc<TileTables>)>,
}

impl Rows {
    pub(super) fn new(challenges: &[E; CHALLENGES]) -> Self {
        Self {
            map: Tables::new(challenges),
            rows: Vec::new(),
        }
    }

    pub(super) fn map(&self) -> &Tables {
        &self.map
    }

    /// The tables for the row `eq(point, .)`, `point` having the variables of a tile.
    fn tables(&mut self, point: &[E]) -> Arc<TileTables> {
        if let Some((_, tables)) = self.rows.iter().find(|(known, _)| known == point) {
            return Arc::clone(tables);
        }
        let row = eq_table(point);
        let tables = Arc::new(TileTables::new(&self.map, &core::array::from_fn(|j| row[j])));
        self.rows.push((point.to_vec(), Arc::clone(&tables)));
        tables
    }
}

pub(super) struct PackedPiece {
    first_chunk: usize,
    /// By the piece's own chunks.
    scalars: Arc<[E]>,
    /// `scale eq(point, .)` of the variables that tell the tiles of a chunk apart, the coefficients each in a row.
    tiles: [[K; TILES]; 3],
    tables: Arc<TileTables>,
}

impl PackedPiece {
    /// The weights `Phi(scale eq(point, .))` of a region; `low` are the point's variables within a chunk, `scalars` is
    /// `eq` of the others.
    pub(super) fn new(rows: &mut Rows, region: Region, low: &[E], scalars: Arc<[E]>, scale: E) -> Self {
        let (row, tiles) = low.split_at(LOG_TILE);
        let mut planes = [[K::ZERO; TILES]; 3];
        for (tile, eq) in eq_table(tiles).into_iter().enumerate() {
            for (plane, coefficient) in planes.iter_mut().zip((scale * eq).0) {
                plane[tile] = coefficient;
            }
        }
        Self {
            first_chunk: region.offset / CHUNK,
            scalars,
            tiles: planes,
            tables: rows.tables(row),
        }
    }

    /// The chunks of the stack in which the piece lies.
    pub(super) fn chunks(&self) -> Range<usize> {
        self.first_chunk..self.first_chunk + self.scalars.len()
    }

    /// Adds the weights of a chunk of the stack, one of the piece's.
    #[inline(always)]
    pub(super) fn add_to<B: Backend>(&self, be: B, chunk: usize, out: &mut Chunk) {
        let scalar = splat_e(be, self.scalars[chunk - self.first_chunk]);
        let [tiles_0, tiles_1, tiles_2] = &self.tiles;
        let mut scalars = [E::ZERO; TILES];
        let mut tile = 0;
        while tile < TILES {
            let tiles = [
                be.load(&tiles_0[tile..]),
                be.load(&tiles_1[tile..]),
                be.load(&tiles_2[tile..]),
            ];
            be.store_e(mul_e(be, scalar, tiles), &mut scalars[tile..]);
            tile += B::LANES;
        }
        tile = 0;
        while tile < TILES {
            self.tables.add_image(be, scalars[tile], out, TILE * tile);
            tile += 1;
        }
    }
}
