//! What everybody knows, and nobody below the root evaluates.

use alloc::vec;
use alloc::vec::Vec;

use argument::layout::Layout;
use argument::machine::{Coordinate, Machine, PublicColumn};
use circuit::Circuit;
use pcs::stack::Region;
use primitives::field::K;

/// log2 of the coordinates of an entry's tuple.
pub(super) const LOG_COORDINATES: usize = 4;

/// log2 of the bits of a word.
pub(super) const LOG_BITS: usize = 6;

/// The words of RAM at the start of a run, as a sparse table of `2^log_words` words.
#[derive(Clone, Debug)]
pub(super) struct Image {
    /// The public column of the run's machine.
    pub column: usize,
    pub log_words: usize,
    /// Indices, ascending, and words.
    pub words: Vec<(u32, K)>,
}

/// The tuples of the bytecode.
#[derive(Clone, Debug)]
pub(super) struct Entries {
    /// log2 of the tuples.
    pub log_len: usize,
    /// Of each coordinate a word for each tuple. Coordinates that are missing are zero.
    pub coordinates: Vec<Vec<K>>,
}

impl Entries {
    /// Variables of the polynomial of the bits: those of the tuple's index, of the coordinate, of the bit.
    pub(super) fn variables(&self) -> usize {
        self.log_len + LOG_COORDINATES + LOG_BITS
    }
}

/// The public columns of both node circuits: first-level nodes below, nodes above.
#[derive(Clone, Debug)]
pub(super) struct Fixed {
    /// Where each public column of a circuit is, in the order of its machine.
    pub regions: Vec<Region>,
    /// log2 of the words of one circuit.
    pub log_words: usize,
    /// The words of both circuits, if they are there.
    pub words: Vec<K>,
}

/// The polynomials and circuits on which the children of a node have claims.
///
/// Two dense ones are of the run's program: the image of RAM and the bits of the bytecode. The third, *fixed*, has all
/// public columns of both node circuits, by descending size, with a top variable that is 0 for first-level nodes and 1
/// for nodes. The circuits are those of the run's machine, then that of HASH rows.
#[derive(Clone, Debug)]
pub struct Catalog {
    pub(super) image: Image,
    pub(super) entries: Entries,
    pub(super) fixed: Fixed,
    pub(super) circuits: Vec<Circuit>,
    /// The circuit of each group of a run's batch.
    pub(super) run_groups: Vec<usize>,
}

impl Catalog {
    /// The catalog of the machine of runs, in the layout of the leaves, and of nodes whose machines have the sizes of
    /// `rows`. The words of the public columns of `rows` are not looked at.
    ///
    /// # Panics
    /// If the machines are not of this form: a run has one public column in its boundaries and one producer; rows have
    /// one circuit, and dense public columns.
    #[must_use]
    pub fn new(run: &Machine, layout: &Layout<'_>, rows: &Machine) -> Self {
        let mut circuits = run.circuits.clone();
        let groups = layout.batch.iter().flat_map(flock::Batch::groups);
        let run_groups = groups.map(|group| {
            let circuit = run.circuits.iter().position(|circuit| circuit == group.circuit);
            circuit.expect("the batch has circuits of the machine")
        });
        let run_groups = run_groups.collect();
        let [hash] = rows.circuits.as_slice() else {
            panic!("rows have one circuit, and not {}", rows.circuits.len());
        };
        circuits.push(hash.clone());
        Self {
            image: image(run),
            entries: entries(run),
            fixed: fixed(rows),
            circuits,
            run_groups,
        }
    }

    /// The catalog with the words of the public columns of first-level nodes and of nodes: what provers and the root's
    /// verifier need.
    ///
    /// # Panics
    /// If a machine has not the sizes of this catalog.
    #[must_use]
    pub fn with_fixed(mut self, kinds: [&Machine; 2]) -> Self {
        let half = 1 << self.fixed.log_words;
        self.fixed.words = vec![K::ZERO; 2 * half];
        for (words, machine) in self.fixed.words.chunks_mut(half).zip(kinds) {
            assert_eq!(machine.public.len(), self.fixed.regions.len(), "public columns");
            for (region, column) in self.fixed.regions.iter().zip(&machine.public) {
                words[region.range()].copy_from_slice(dense(column));
            }
        }
        self
    }

    /// The variables of the dense polynomials: image, entries, fixed.
    #[must_use]
    pub fn variables(&self) -> [usize; 3] {
        [
            self.image.log_words,
            self.entries.variables(),
            self.fixed.log_words + 1,
        ]
    }

    /// The coordinates of the dense polynomials' point.
    #[must_use]
    pub fn point_variables(&self) -> usize {
        self.variables().into_iter().max().unwrap_or(0)
    }

    /// The coordinates of the points of rows and of columns: log2 of the positions of the largest block.
    #[must_use]
    pub fn block_variables(&self) -> usize {
        let blocks = self.circuits.iter().map(Circuit::log_block);
        blocks.max().unwrap_or(0)
    }

    /// The number of circuits.
    #[must_use]
    pub fn circuits(&self) -> usize {
        self.circuits.len()
    }
}

/// The one public column that the boundaries of a run's machine name.
fn image(run: &Machine) -> Image {
    let coordinates = run.boundary.iter().flat_map(|boundary| &boundary.tuple);
    let public = coordinates.filter_map(|coordinate| match *coordinate {
        Coordinate::Public(column) => Some(column),
        _ => None,
    });
    let [column] = public.collect::<Vec<_>>()[..] else {
        panic!("a run has one public column in its boundaries");
    };
    match &run.public[column] {
        PublicColumn::Sparse { log_words, words } => Image {
            column,
            log_words: *log_words,
            words: words.clone(),
        },
        PublicColumn::Dense(words) => Image {
            column,
            log_words: log_len(words),
            words: (0..).zip(words.iter().copied()).collect(),
        },
    }
}

/// The tuples of the one producer of a run's machine.
fn entries(run: &Machine) -> Entries {
    let [producer] = run.producers.as_slice() else {
        panic!("a run has one producer, and not {}", run.producers.len());
    };
    let len = 1 << producer.log_len;
    let coordinate = |coordinate: &Coordinate| match *coordinate {
        Coordinate::Constant(word) => vec![word; len],
        Coordinate::Index { base, shift } => (0..len as u64).map(|i| K(base ^ (i << shift))).collect(),
        Coordinate::Public(column) => dense(&run.public[column]).to_vec(),
        Coordinate::Announced(_) | Coordinate::Column(_) => panic!("no producer has these"),
    };
    Entries {
        log_len: producer.log_len,
        coordinates: producer.tuple.iter().map(coordinate).collect(),
    }
}

/// The places of the public columns of a machine of rows, largest first.
fn fixed(rows: &Machine) -> Fixed {
    let sizes: Vec<usize> = rows.public.iter().map(|column| log_len(dense(column))).collect();
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|&column| core::cmp::Reverse(sizes[column]));
    let mut regions = vec![
        Region {
            offset: 0,
            log_words: 0
        };
        sizes.len()
    ];
    let mut offset = 0usize;
    for column in order {
        regions[column] = Region {
            offset,
            log_words: sizes[column],
        };
        offset += 1 << sizes[column];
    }
    Fixed {
        regions,
        log_words: offset.max(1).next_power_of_two().ilog2() as usize,
        words: Vec::new(),
    }
}

fn dense(column: &PublicColumn) -> &[K] {
    match column {
        PublicColumn::Dense(words) => words,
        PublicColumn::Sparse { .. } => panic!("a column of tuples or rows is dense"),
    }
}

fn log_len<T>(words: &[T]) -> usize {
    assert!(
        words.len().is_power_of_two(),
        "a column has a power of two of words"
    );
    words.len().ilog2() as usize
}
