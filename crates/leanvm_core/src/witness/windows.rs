//! The stack cut into its columns.

use alloc::vec::Vec;
use core::mem::take;

use argument::layout::Layout;
use pcs::stack::layout::Region;

use crate::parts::TABLES;

/// All of a stack.
pub(super) struct Windows<'a> {
    /// The tables, in the order of the machine; of an absent one nothing.
    pub(super) tables: Vec<Window<'a>>,
    /// The free columns.
    pub(super) free: Vec<&'a mut [u64]>,
    /// How often each entry of the bytecode is read.
    pub(super) reads: &'a mut [u64],
}

/// The words of a table.
#[derive(Default)]
pub(super) struct Window<'a> {
    /// The committed columns.
    pub(super) columns: Vec<&'a mut [u64]>,
    /// The blocks of the class's circuit, if it has one.
    pub(super) block: &'a mut [u64],
    /// The blocks of the clock circuit.
    pub(super) clock: &'a mut [u64],
}

impl<'a> Windows<'a> {
    /// The columns of `stack`.
    ///
    /// # Panics
    /// If it is shorter than the layout, or the layout is not of a machine with both tables of all classes.
    pub(super) fn new(stack: &'a mut [u64], layout: &Layout<'_>) -> Self {
        let of_tables = layout
            .tables
            .iter()
            .flat_map(|place| place.columns.iter().chain(&place.blocks));
        let reads = layout.producers.iter().map(|producer| &producer.region);
        let regions: Vec<Region> = of_tables.chain(&layout.columns).chain(reads).copied().collect();
        let mut pieces = cut(stack, &regions).into_iter();

        let mut tables: Vec<Window<'a>> = (0..TABLES).map(|_| Window::default()).collect();
        for place in &layout.tables {
            let columns = pieces.by_ref().take(place.columns.len()).collect();
            let mut blocks: Vec<_> = pieces.by_ref().take(place.blocks.len()).collect();
            let clock = blocks.pop().expect("every class has a clock");
            tables[place.number] = Window {
                columns,
                block: blocks.pop().unwrap_or_default(),
                clock,
            };
        }
        Self {
            tables,
            free: pieces.by_ref().take(layout.columns.len()).collect(),
            reads: pieces.next().expect("the bytecode is a producer"),
        }
    }
}

impl<'a> Window<'a> {
    /// The rows.
    pub(super) fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.len())
    }

    /// Pieces of `rows` rows each, or one of all rows if there are fewer. Both numbers are powers of two.
    pub(super) fn pieces(self, rows: usize) -> Vec<Self> {
        let count = self.rows().div_ceil(rows);
        let mut columns: Vec<_> = self
            .columns
            .into_iter()
            .map(|column| chunks(column, count))
            .collect();
        let mut block = chunks(self.block, count);
        let mut clock = chunks(self.clock, count);
        let piece = |_| Window {
            columns: columns.iter_mut().filter_map(Iterator::next).collect(),
            block: block.next().unwrap_or_default(),
            clock: clock.next().unwrap_or_default(),
        };
        (0..count).map(piece).collect()
    }
}

/// `count` equal pieces, or nothing of an empty slice.
fn chunks(words: &mut [u64], count: usize) -> core::slice::ChunksExactMut<'_, u64> {
    let length = words.len() / count.max(1);
    words.chunks_exact_mut(length.max(1))
}

/// The words of disjoint regions, in the order of the regions.
fn cut<'a>(stack: &'a mut [u64], regions: &[Region]) -> Vec<&'a mut [u64]> {
    let mut order: Vec<usize> = (0..regions.len()).collect();
    order.sort_by_key(|&region| regions[region].offset);
    let mut pieces: Vec<&mut [u64]> = regions.iter().map(|_| Default::default()).collect();
    let (mut rest, mut at) = (stack, 0);
    for region in order {
        let range = regions[region].range();
        let (_, from) = take(&mut rest).split_at_mut(range.start - at);
        (pieces[region], rest) = from.split_at_mut(range.len());
        at = range.end;
    }
    pieces
}
