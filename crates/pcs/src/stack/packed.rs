//! The weights of packed columns that are larger than a chunk: `Phi(scale eq(point, .))`.
//!
//! There are two ways, of one result. Where the back end maps bytes, a chunk's scalars are made as an unpacked piece's
//! are, and mapped together. Elsewhere they go tile by tile: `eq(point, .)` is a product of one of the variables
//! below [`TILE`], one of the others in a chunk, and one of those above. The last two and the scale make one scalar for
//! each tile. What the first make of it, the map's tables for that row say, which is one for all pieces whose points
//! begin alike.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use primitives::backend::Backend;
use primitives::field::{E, K};
use primitives::multilinear::{eq_table, scaled_eq_table};
use primitives::vectors::{mul_e, splat_e};

use super::Region;
use crate::ring_switch::CHALLENGES;
use crate::ring_switch::maps::Maps;
use crate::ring_switch::tables::{TILE, Tables, TileTables};
use crate::whir::weights::{CHUNK, Chunk, ZERO_CHUNK, add_scaled, load_planes};

/// Variables within a tile.
const LOG_TILE: usize = TILE.ilog2() as usize;

/// Tiles of a chunk.
const TILES: usize = CHUNK / TILE;

/// The pieces of all packed columns that are larger than a chunk.
pub(super) struct Packed {
    map: Tables,
    /// The map where the back end maps bytes; else there are tables.
    maps: Option<Box<Maps>>,
    /// By the row's point.
    tables: Vec<(Vec<E>, Arc<TileTables>)>,
    pieces: Vec<Piece>,
}

struct Piece {
    first_chunk: usize,
    /// By the piece's own chunks.
    scalars: Arc<[E]>,
    row: Row,
}

/// `scale eq(point, .)` of the variables within a chunk, for the way that is taken.
enum Row {
    /// By maps: all scalars.
    Whole(Box<Chunk>),
    /// By tables: of the variables that tell tiles apart, and the tables for the others.
    Tiles([[K; TILES]; 3], Arc<TileTables>),
}

impl Packed {
    /// No pieces, of the map of these challenges.
    pub(super) fn new(challenges: &[E; CHALLENGES], by_maps: bool) -> Self {
        let map = Tables::new(challenges);
        Self {
            maps: by_maps.then(|| Box::new(Maps::new(&map))),
            map,
            tables: Vec::new(),
            pieces: Vec::new(),
        }
    }

    /// The map.
    pub(super) fn map(&self) -> &Tables {
        &self.map
    }

    /// Adds the piece `Phi(scale eq(point, .))` of a region; `low` are the point's variables within a chunk, `scalars` is
    /// `eq` of the others.
    pub(super) fn add(&mut self, region: Region, low: &[E], scalars: Arc<[E]>, scale: E) {
        let row = if self.maps.is_some() {
            Row::Whole(Box::new(planes(low, scale)))
        } else {
            let (within, tiles) = low.split_at(LOG_TILE);
            Row::Tiles(planes(tiles, scale), self.tables(within))
        };
        self.pieces.push(Piece {
            first_chunk: region.offset / CHUNK,
            scalars,
            row,
        });
    }

    /// The tables for the row `eq(point, .)`, `point` having the variables of a tile.
    fn tables(&mut self, point: &[E]) -> Arc<TileTables> {
        if let Some((_, tables)) = self.tables.iter().find(|(known, _)| known == point) {
            return Arc::clone(tables);
        }
        let row = eq_table(point);
        let tables = Arc::new(TileTables::new(&self.map, &core::array::from_fn(|j| row[j])));
        self.tables.push((point.to_vec(), Arc::clone(&tables)));
        tables
    }

    /// The chunks of the stack in which each piece lies.
    pub(super) fn chunks(&self) -> impl Iterator<Item = Range<usize>> {
        let pieces = self.pieces.iter();
        pieces.map(|piece| piece.first_chunk..piece.first_chunk + piece.scalars.len())
    }

    /// Adds the weights of some pieces in a chunk of the stack, in which all of them lie.
    #[inline(always)]
    pub(super) fn add_to<B: Backend>(&self, be: B, pieces: &[usize], chunk: usize, out: &mut Chunk) {
        if pieces.is_empty() {
            return;
        }
        let mut scalars = ZERO_CHUNK;
        let mut i = 0;
        while i < pieces.len() {
            let piece = &self.pieces[pieces[i]];
            let scalar = piece.scalars[chunk - piece.first_chunk];
            match &piece.row {
                Row::Whole(row) => add_scaled(be, &mut scalars, scalar, row),
                Row::Tiles(tiles, tables) => add_tiles(be, scalar, tiles, tables, out),
            }
            i += 1;
        }
        if let Some(maps) = &self.maps {
            maps.add_images(be, &scalars, out);
        }
    }
}

/// `scale eq(point, .)`, the coefficients of 1, y and y^2 each in a row.
fn planes<const N: usize>(point: &[E], scale: E) -> [[K; N]; 3] {
    let table = scaled_eq_table(point, scale);
    core::array::from_fn(|coefficient| core::array::from_fn(|i| table[i].0[coefficient]))
}

/// Adds the images of a scalar's products with every tile's, by the tables for what they have in common.
#[inline(always)]
fn add_tiles<B: Backend>(be: B, scalar: E, tiles: &[[K; TILES]; 3], tables: &TileTables, out: &mut Chunk) {
    let scalar = splat_e(be, scalar);
    let mut scalars = [E::ZERO; TILES];
    let mut tile = 0;
    while tile < TILES {
        let products = mul_e(be, scalar, load_planes(be, tiles, tile));
        be.store_e(products, &mut scalars[tile..]);
        tile += B::LANES;
    }
    tile = 0;
    while tile < TILES {
        tables.add_image(be, scalars[tile], out, TILE * tile);
        tile += 1;
    }
}
