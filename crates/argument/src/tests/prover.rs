//! The prover that ships against the one from the definitions.

use alloc::vec;
use alloc::vec::Vec;

use circuit::{Builder, Circuit};
use fiat_shamir::{Kind, Proof, Prover};
use primitives::field::K;
use primitives::{backend, pool};

use super::case::{Case, HONEST, Rows};
use super::machines::{self, words};
use crate::machine::{
    Boundary, Coordinate, Fixed, FixedValue, Flush, Form, FreeColumn, Machine, Port, Producer, PublicColumn,
    Side, Table,
};
use crate::prove::{Witness, prove, uninterrupted};
use crate::shape::Shape;

impl Case {
    /// The proof of the prover that ships, told of so many live rows of each table.
    fn prove_told(&self, live: &[usize]) -> Proof {
        let layout = self.layout();
        let mut prover = Prover::new(Kind::Opening, self.shape.to_words());
        for &word in &self.announced {
            prover.send_word(K(word));
        }
        let witness = Witness {
            stack: &self.stack(&layout),
            live,
        };
        let done = prove(
            &mut prover,
            &self.machine,
            &layout,
            &self.announced,
            &witness,
            &mut uninterrupted,
        );
        assert!(done.is_continue());
        prover.finish().0
    }

    /// The proof of the prover that ships.
    pub(super) fn prove_shipped(&self) -> Proof {
        self.prove_told(&self.all_live())
    }

    fn all_live(&self) -> Vec<usize> {
        vec![usize::MAX; self.layout().tables.len()]
    }
}

/// An adder of two words: blocks of four words.
fn adder() -> Circuit {
    let mut builder = Builder::new();
    let (p, q) = (builder.input(), builder.input());
    let sum = builder.add(&p, &q);
    builder.output(&sum);
    builder.build()
}

/// A form with every kind of term, of a row with seven columns.
fn form(seed: u64) -> Form {
    let k = words(8, seed);
    let column = |i: usize| (k[i] % 7) as usize;
    let linear = Form::column(column(0)).times(K(k[1]));
    let product = Form::product(column(2), column(3)).times(K(k[4]));
    Form::constant(K(k[5]))
        .plus(linear)
        .plus(product)
        .plus(Form::column(column(6)))
}

/// Tuples of 1 to 16 forms.
fn tuple(seed: u64) -> Vec<Form> {
    let constant = core::iter::once(Form::constant(K(40 + seed % 2)));
    constant
        .chain((0..(7 * seed) % 16).map(|i| form(100 * seed + i)))
        .collect()
}

/// A machine with every kind of everything, and a witness that satisfies nothing of it. A table has four columns and
/// three ports; the rows of table i from `live[i]` on are equal.
fn everything(heights: &[Option<usize>], live: &[usize], log_entries: usize) -> Case {
    let table = |seed: u64, flushes: u64, identities: u64| Table {
        name: "table",
        columns: 4,
        blocks: vec![0, 0],
        ports: [(0, 1), (1, 0), (0, 2)]
            .map(|(block, word)| Port { block, word })
            .into(),
        flushes: (0..flushes)
            .map(|flush| Flush {
                side: Side::BOTH[((seed + flush) % 2) as usize],
                tuple: tuple(seed + flush),
            })
            .collect(),
        identities: (0..identities).map(|i| form(seed + 1000 + i)).collect(),
        ..Table::default()
    };
    let tables: Vec<Table> = (0..heights.len() as u64)
        .map(|i| table(10 * i + 1, 2 + i % 3, i % 3))
        .collect();
    let index = Coordinate::Index {
        base: 1 << 40,
        shift: 3,
    };
    let producer = |separator, public| Producer {
        name: "producer",
        log_len: log_entries,
        tuple: vec![
            Coordinate::Constant(K(separator)),
            index,
            Coordinate::Public(public),
        ],
    };
    let entries = 1 << log_entries;
    let dense = |seed| PublicColumn::Dense(words(entries, seed).into_iter().map(K).collect());
    let mut listed: Vec<u32> = [0, 3, entries as u32 - 1]
        .into_iter()
        .filter(|&i| (i as usize) < entries)
        .collect();
    listed.dedup();
    let sparse = PublicColumn::Sparse {
        log_words: log_entries,
        words: listed.into_iter().map(|i| (i, K(u64::from(i) + 5))).collect(),
    };
    let separator = |word| Coordinate::Constant(K(word));
    let boundary = |side, log_len, tuple| Boundary { side, log_len, tuple };
    let machine = Machine {
        circuits: vec![adder()],
        tables,
        columns: vec![
            FreeColumn {
                name: "memory",
                log_words: log_entries,
            },
            FreeColumn {
                name: "word",
                log_words: 0,
            },
        ],
        public: vec![dense(1), sparse, dense(2)],
        boundary: vec![
            boundary(
                Side::Push,
                log_entries,
                vec![separator(50), index, Coordinate::Column(0), Coordinate::Public(1)],
            ),
            boundary(
                Side::Pull,
                log_entries,
                vec![separator(51), Coordinate::Announced(0), Coordinate::Column(0)],
            ),
            boundary(
                Side::Pull,
                0,
                vec![separator(0), Coordinate::Announced(1), Coordinate::Column(1)],
            ),
        ],
        producers: vec![producer(40, 0), producer(41, 2)],
        fixed: vec![
            Fixed {
                column: 0,
                index: entries - 1,
                value: FixedValue::Announced(1),
            },
            Fixed {
                column: 1,
                index: 0,
                value: FixedValue::Constant(K(3)),
            },
        ],
    };
    let rows = |(number, height): (usize, &Option<usize>)| {
        let rows = 1usize << (*height)?;
        let column = |seed: u64, block: usize| {
            let mut column = words(rows * block, seed + 50 * number as u64);
            let live = live[number].min(rows - 1) * block;
            let last = column[live..live + block].to_vec();
            for block in column[live..].chunks_mut(block) {
                block.copy_from_slice(&last);
            }
            column
        };
        Some(Rows {
            columns: (0..4).map(|i| column(i, 1)).collect(),
            blocks: (4..6).map(|i| column(i, 4)).collect(),
        })
    };
    let counts = |seed| words(entries, seed).into_iter().map(|word| word % 64).collect();
    Case {
        name: "everything",
        shape: Shape {
            log_inv_rate: 1,
            heights: heights.to_vec(),
        },
        announced: words(2, 9),
        tables: heights.iter().enumerate().map(rows).collect(),
        columns: vec![words(entries, 3), words(1, 4)],
        counts: vec![counts(5), counts(6)],
        machine,
    }
}

/// Small and large tables, with bus sizes 2^M of M even and odd, below a chunk and above.
fn mixtures() -> Vec<Case> {
    let all = |heights: &[Option<usize>], log_entries| {
        everything(heights, &vec![usize::MAX; heights.len()], log_entries)
    };
    vec![
        all(&[Some(5)], 0),
        all(&[Some(5), Some(6)], 2),
        all(&[None, Some(6), Some(7), None], 5),
        all(&[Some(9), Some(5), Some(8)], 3),
        all(&[Some(5), Some(10), Some(9)], 9),
        all(&[Some(11), None, Some(5)], 6),
    ]
}

#[test]
fn the_prover_is_the_one_from_the_definitions() {
    for case in machines::all()
        .into_iter()
        .chain(mixtures())
        .chain([machines::known(10)])
    {
        let proof = case.prove_told(&case.all_live());
        assert!(proof == case.prove(HONEST), "{} of {:?}", case.name, case.shape);
    }
}

#[test]
fn the_proof_does_not_depend_on_threads_or_back_ends() {
    let case = everything(&[Some(11), Some(5), Some(9)], &[1500, 20, 512], 7);
    let expected = case.prove_told(&[1500, 20, 512]);
    for threads in [1, 2, 8] {
        for token in backend::available() {
            backend::force(token.kind()).unwrap();
            let proof = pool::with_threads(threads, || case.prove_told(&[1500, 20, 512]));
            assert!(proof == expected, "{threads} threads, {}", token.kind());
        }
    }
}

#[test]
fn a_prover_told_of_equal_rows_gives_the_same_proof() {
    for live in [0, 1, 511, 512, 513, 1024, 1500, 2046, 2047] {
        let case = everything(&[Some(11), Some(9)], &[live, live / 4], 4);
        let told = case.prove_told(&[live, live / 4]);
        assert!(told == case.prove_told(&case.all_live()), "{live} live rows");
    }
}

#[test]
fn columns_that_everybody_knows_go_on_after_the_last_live_row() {
    let case = machines::known(10);
    let expected = case.prove_told(&case.all_live());
    for live in [0, 1, 600] {
        assert!(case.prove_told(&[live, 0]) == expected, "{live} live rows");
    }
}
