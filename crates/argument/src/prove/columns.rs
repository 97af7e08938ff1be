//! Rows of a table, a tile at a time: its columns side by side, committed and public ones read in place, the others
//! gathered.

use alloc::vec;
use alloc::vec::Vec;

use primitives::backend::Backend;
use primitives::field::{E, K};
use primitives::vectors::{Element, WideE, reduce_e, splat_e, wide_xor_e};
use primitives::{dispatch, slices};

use super::chunks::store;
use crate::layout::Place;
use crate::machine::{Form, Index, Machine, Port, PublicColumn};

/// log2 of the rows of a tile.
pub(super) const LOG_TILE: usize = 9;

/// Rows of a tile.
pub(super) const TILE: usize = 1 << LOG_TILE;

/// A column of a tile.
pub(super) type TileColumn = [K; TILE];

/// The columns of a present table.
pub(super) struct Columns<'w> {
    pub(super) log_rows: usize,
    /// Rows before those that are all equal.
    pub(super) live: usize,
    columns: Vec<Column<'w>>,
}

/// A column.
enum Column<'w> {
    /// One after another: a committed or a public one.
    Whole(&'w [K]),
    /// A word of every block.
    Strided {
        blocks: &'w [K],
        log_block: usize,
        word: usize,
    },
    /// Affine in the bits of a row's number.
    Index(Index),
}

impl<'w> Columns<'w> {
    /// The columns of a table in the stack.
    pub(super) fn new(machine: &'w Machine, place: &Place<'_>, stack: &'w [K], live: usize) -> Self {
        let table = place.table;
        let committed = (place.columns.iter()).map(|region| Column::Whole(&stack[region.range()]));
        let ports = table.ports.iter().map(|&Port { block, word }| Column::Strided {
            blocks: &stack[place.blocks[block].range()],
            log_block: place.log_block_words[block],
            word,
        });
        let public = table.public.iter().map(|&number| match &machine.public[number] {
            PublicColumn::Dense(words) => Column::Whole(words),
            PublicColumn::Sparse { .. } => unreachable!("no layout has a table with a sparse column"),
        });
        let index = table.index.iter().map(|&index| Column::Index(index));
        // What everybody knows goes on where what is committed has ended.
        let live = if table.public.is_empty() && table.index.is_empty() {
            live
        } else {
            usize::MAX
        };
        Self {
            log_rows: place.log_rows,
            live: live.min(1 << place.log_rows),
            columns: committed.chain(ports).chain(public).chain(index).collect(),
        }
    }

    /// How many columns there are.
    pub(super) fn len(&self) -> usize {
        self.columns.len()
    }

    /// Tiles; a smaller table has one.
    pub(super) fn tiles(&self) -> usize {
        (1usize << self.log_rows).div_ceil(TILE)
    }

    /// Tiles before those that are all equal.
    pub(super) fn live_tiles(&self) -> usize {
        self.live.div_ceil(TILE)
    }

    /// The tiles that have to be looked at: the live ones, and one for all others if there are any.
    pub(super) fn distinct_tiles(&self) -> usize {
        self.tiles().min(self.live_tiles() + 1)
    }

    /// Rows of a tile.
    pub(super) fn rows(&self) -> usize {
        TILE.min(1 << self.log_rows)
    }

    /// A word of a column.
    pub(super) fn word(&self, column: usize, row: usize) -> K {
        match self.columns[column] {
            Column::Whole(words) => words[row],
            Column::Strided {
                blocks,
                log_block,
                word,
            } => blocks[(row << log_block) + word],
            Column::Index(index) => index_word(index, row),
        }
    }

    /// Calls `f` with the columns of a tile that are asked for, in the order of the list; rows that a smaller table
    /// does not have are zero.
    pub(super) fn with_tile<R>(
        &self,
        tile: usize,
        wanted: &[usize],
        scratch: &mut Vec<TileColumn>,
        f: impl FnOnce(&[&TileColumn]) -> R,
    ) -> R {
        let rows = tile * TILE..tile * TILE + self.rows();
        let gathered = |column: usize| rows.len() < TILE || !matches!(self.columns[column], Column::Whole(_));
        let count = wanted.iter().filter(|&&column| gathered(column)).count();
        if scratch.len() < count {
            scratch.resize(count, [K::ZERO; TILE]);
        }
        let mut out = scratch.iter_mut();
        for &column in wanted.iter().filter(|&&column| gathered(column)) {
            let out = out.next().expect("a column of scratch for each");
            self.gather(column, rows.clone(), out);
        }
        let mut gathered_columns = scratch.iter();
        let columns: Vec<&TileColumn> = wanted
            .iter()
            .map(|&column| match self.columns[column] {
                Column::Whole(words) if rows.len() == TILE => {
                    words[rows.clone()].as_array().expect("the rows of a tile")
                }
                _ => gathered_columns.next().expect("a column of scratch for each"),
            })
            .collect();
        f(&columns)
    }

    /// Copies rows of a column.
    fn gather(&self, column: usize, rows: core::ops::Range<usize>, out: &mut TileColumn) {
        let count = rows.len();
        match self.columns[column] {
            Column::Whole(words) => out[..count].copy_from_slice(&words[rows]),
            Column::Strided {
                blocks,
                log_block,
                word,
            } => {
                let blocks = &blocks[rows.start << log_block..rows.end << log_block];
                for (out, block) in out.iter_mut().zip(blocks.chunks_exact(1 << log_block)) {
                    *out = block[word];
                }
            }
            Column::Index(index) => {
                for (out, row) in out.iter_mut().zip(rows) {
                    *out = index_word(index, row);
                }
            }
        }
        out[count..].fill(K::ZERO);
    }
}

/// The word of an index column.
fn index_word(Index { base, shift }: Index, row: usize) -> K {
    K(base ^ (row as u64) << shift)
}

/// `constant + sum w col_i + sum w col_i col_j` with weights in E.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Combination {
    pub(super) constant: E,
    /// Columns by ascending number.
    pub(super) linear: Vec<(usize, E)>,
    /// Pairs of columns, ascending in each and among each other.
    pub(super) products: Vec<((usize, usize), E)>,
}

impl Combination {
    /// Adds `scale` times a form.
    pub(super) fn add(&mut self, scale: E, form: &Form) {
        self.constant += scale * form.constant;
        for &(column, k) in &form.linear {
            add_term(&mut self.linear, column, scale * k);
        }
        for &(i, j, k) in &form.products {
            add_term(&mut self.products, (i.min(j), i.max(j)), scale * k);
        }
    }
}

/// Adds to the weight of a term.
pub(super) fn add_term<T: Ord>(terms: &mut Vec<(T, E)>, term: T, weight: E) {
    match terms.binary_search_by(|(other, _)| other.cmp(&term)) {
        Ok(found) => terms[found].1 += weight,
        Err(place) => terms.insert(place, (term, weight)),
    }
}

/// The coefficients of 1, y, y^2 of a scalar for each row of a tile.
pub(super) type TileScalars = [TileColumn; 3];

/// `constant + sum w col` in every row of a tile.
///
/// `terms`: columns by their places in `columns`.
#[inline(always)]
pub(super) fn combine_columns<B: Backend>(
    be: B,
    constant: E,
    terms: &[(usize, E)],
    columns: &[&TileColumn],
    out: &mut TileScalars,
) {
    let constant = splat_e(be, constant);
    let mut at = 0;
    while at < TILE {
        // Two vectors at a time share the weights.
        let mut sums: [WideE<B>; 2] = [[be.wide_zero(); 3]; 2];
        for &(column, weight) in terms {
            let weight = splat_e(be, weight);
            let words = &columns[column][at..];
            let [first, second] = sums;
            sums = [
                wide_xor_e(be, first, K::mul_wide_by_e(be, weight, be.load(words))),
                wide_xor_e(
                    be,
                    second,
                    K::mul_wide_by_e(be, weight, be.load(&words[B::LANES..])),
                ),
            ];
        }
        let [first, second] = sums;
        store(be, E::xor(be, constant, reduce_e(be, first)), out, at);
        store(be, E::xor(be, constant, reduce_e(be, second)), out, at + B::LANES);
        at += 2 * B::LANES;
    }
}

/// The combinations of columns and of products of columns that one pass over tiles computes.
pub(super) struct Plan {
    /// The columns that are read.
    pub(super) columns: Vec<usize>,
    /// The pairs of read columns, by their places in `columns`, whose products are computed.
    products: Vec<(usize, usize)>,
    /// Of each combination its constant, and its terms: places in `columns`, and after these in `products`.
    combinations: Vec<(E, Vec<(usize, E)>)>,
}

impl Plan {
    /// The plan of these combinations.
    pub(super) fn new(combinations: &[Combination]) -> Self {
        let mut columns = Vec::new();
        let mut pairs = Vec::new();
        for combination in combinations {
            columns.extend(combination.linear.iter().map(|&(column, _)| column));
            for &((i, j), _) in &combination.products {
                columns.extend([i, j]);
                pairs.push((i, j));
            }
        }
        columns.sort_unstable();
        columns.dedup();
        pairs.sort_unstable();
        pairs.dedup();
        let place = |column: usize| columns.binary_search(&column).expect("a column that is read");
        let terms = |combination: &Combination| {
            let linear = (combination.linear.iter()).map(|&(column, weight)| (place(column), weight));
            let products = combination.products.iter().map(|&(pair, weight)| {
                let product = pairs.binary_search(&pair).expect("a product that is computed");
                (columns.len() + product, weight)
            });
            (combination.constant, linear.chain(products).collect())
        };
        Self {
            combinations: combinations.iter().map(terms).collect(),
            products: pairs.iter().map(|&(i, j)| (place(i), place(j))).collect(),
            columns,
        }
    }

    /// Calls `f` with the number of each combination and its values on a tile.
    ///
    /// `columns`: those that are read, on the tile.
    pub(super) fn run(&self, columns: &[&TileColumn], mut f: impl FnMut(usize, &TileScalars)) {
        let mut products = vec![[K::ZERO; TILE]; self.products.len()];
        for (out, &(i, j)) in products.iter_mut().zip(&self.products) {
            dispatch!(|be| slices::mul_k(be, columns[i], columns[j], out));
        }
        let columns: Vec<&TileColumn> = columns.iter().copied().chain(&products).collect();
        let mut values = [[K::ZERO; TILE]; 3];
        for (number, (constant, terms)) in self.combinations.iter().enumerate() {
            dispatch!(|be| combine_columns(be, *constant, terms, &columns, &mut values));
            f(number, &values);
        }
    }
}
