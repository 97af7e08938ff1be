//! What is no machine, no shape, no layout is refused, each by its own error.

use alloc::vec;
use alloc::vec::Vec;

use primitives::field::K;

use super::machines;
use crate::layout::{Layout, LayoutError, Leaves, Source};
use crate::machine::{
    Boundary, Coordinate, Fixed, FixedValue, Form, FreeColumn, Machine, Port, Producer, PublicColumn, Side,
    Table,
};
use crate::shape::{Shape, ShapeError};
use crate::{MachineError, Tuple};

/// Memory, lookups and circuits in one machine: tables 0; 1, 2; 3 to 6.
fn everything() -> Machine {
    let [memory, lookup, circuits] =
        [machines::memory(), machines::lookup(), machines::circuits()].map(|case| case.machine);
    let mut machine = lookup;
    machine.circuits = circuits.circuits;
    machine.tables = [memory.tables, machine.tables, circuits.tables].concat();
    machine.columns = memory.columns;
    // The memory's public column comes after the three of the lookups.
    for boundary in memory.boundary {
        let tuple = boundary.tuple.into_iter().map(|coordinate| match coordinate {
            Coordinate::Public(0) => Coordinate::Public(3),
            other => other,
        });
        machine.boundary.push(Boundary {
            tuple: tuple.collect(),
            ..boundary
        });
    }
    machine.public.extend(memory.public);
    machine.fixed = memory.fixed;
    machine
}

#[test]
fn what_lists_refer_to_exists_and_fits() {
    let refusal = |change: fn(&mut Machine)| {
        let mut machine = everything();
        assert_eq!(machine.check(), Ok(()));
        change(&mut machine);
        let refusal = machine.check().unwrap_err();
        let shape = Shape {
            log_inv_rate: 1,
            heights: vec![Some(8); machine.tables.len()],
        };
        assert_eq!(Layout::new(&machine, &shape).unwrap_err(), refusal.into());
        refusal
    };
    let columns = |column| MachineError::Column {
        table: "accesses",
        column,
        columns: 7,
    };
    let known = |column| MachineError::Known {
        table: "accesses",
        column,
    };
    let boundary = Tuple::Boundary;
    let flush = |table, flush| Tuple::Flush { table, flush };
    let squares = Tuple::Producer("squares");
    let length = |tuple, coordinate, log_len| MachineError::Length {
        tuple,
        coordinate,
        log_len,
    };
    let coordinates = |tuple, coordinates| MachineError::Coordinates {
        tuple,
        coordinates,
        max: 16,
    };
    type Change = fn(&mut Machine);
    let refused: Vec<(MachineError, Change)> = vec![
        (
            MachineError::Circuit {
                table: "sums",
                circuit: 2,
                circuits: 2,
            },
            |machine| machine.tables[3].blocks.push(2),
        ),
        (
            MachineError::Block {
                table: "sums",
                port: 1,
                block: 1,
                blocks: 1,
            },
            |machine| machine.tables[3].ports[1].block = 1,
        ),
        (
            MachineError::Word {
                table: "masks",
                port: 0,
                word: 2,
                words: 2,
            },
            |machine| machine.tables[6].ports[0] = Port { block: 0, word: 2 },
        ),
        (known(5), |machine| machine.tables[0].public.push(5)),
        (known(3), |machine| machine.tables[0].public.push(3)),
        (columns(7), |machine| {
            machine.tables[0].flushes[2].tuple.push(Form::column(7));
        }),
        (columns(8), |machine| {
            machine.tables[0].identities.push(Form::product(0, 8));
        }),
        (
            MachineError::Column {
                table: "masks",
                column: 2,
                columns: 2,
            },
            |machine| machine.tables[6].flushes[0].tuple.push(Form::column(2)),
        ),
        (coordinates(flush("reader", 1), 17), |machine| {
            machine.tables[1].flushes[1].tuple = vec![Form::default(); 17];
        }),
        (coordinates(flush("reader", 0), 0), |machine| {
            machine.tables[1].flushes[0].tuple.clear();
        }),
        (coordinates(boundary(3), 17), |machine| {
            machine.boundary[3].tuple = vec![Coordinate::Constant(K::ONE); 17];
        }),
        (coordinates(squares, 0), |machine| {
            machine.producers[0].tuple.clear();
        }),
        (MachineError::Separator { tuple: boundary(2) }, |machine| {
            machine.boundary[2].tuple[0] = Coordinate::Announced(0);
        }),
        (MachineError::Separator { tuple: squares }, |machine| {
            machine.producers[0].tuple[0] = Coordinate::Public(0);
        }),
        (
            MachineError::Producers {
                first: "squares",
                second: "unread",
            },
            |machine| machine.producers[2].tuple[0] = machine.producers[0].tuple[0],
        ),
        (
            MachineError::Kind {
                tuple: squares,
                coordinate: 2,
            },
            |machine| machine.producers[0].tuple[2] = Coordinate::Public(3),
        ),
        (
            MachineError::Kind {
                tuple: squares,
                coordinate: 3,
            },
            |machine| machine.producers[0].tuple.push(Coordinate::Announced(0)),
        ),
        (
            MachineError::Kind {
                tuple: squares,
                coordinate: 1,
            },
            |machine| machine.producers[0].tuple[1] = Coordinate::Column(0),
        ),
        (length(squares, 2, 4), |machine| {
            machine.producers[0].tuple[2] = Coordinate::Public(1);
        }),
        (length(squares, 2, 4), |machine| {
            machine.producers[0].tuple[2] = Coordinate::Public(4);
        }),
        (length(boundary(0), 2, 4), |machine| {
            machine.boundary[0].tuple[2] = Coordinate::Public(1);
        }),
        (length(boundary(4), 2, 4), |machine| {
            machine.columns[0].log_words = 5;
        }),
        (length(boundary(4), 3, 4), |machine| {
            machine.boundary[4].tuple[3] = Coordinate::Column(2);
        }),
        (
            MachineError::Index {
                tuple: boundary(3),
                coordinate: 1,
                bits: 65,
            },
            |machine| {
                machine.boundary[3].tuple[1] = Coordinate::Index { base: 0, shift: 61 };
            },
        ),
        (
            MachineError::Index {
                tuple: squares,
                coordinate: 1,
                bits: usize::MAX,
            },
            |machine| {
                machine.producers[0].tuple[1] = Coordinate::Index {
                    base: 0,
                    shift: usize::MAX,
                };
            },
        ),
        (MachineError::Public { column: 1, max: 28 }, |machine| {
            machine.public[1] = PublicColumn::Dense(vec![K::ONE; 63]);
        }),
        (MachineError::Public { column: 1, max: 28 }, |machine| {
            machine.public[1] = PublicColumn::Dense(vec![]);
        }),
        (MachineError::Public { column: 4, max: 28 }, |machine| {
            machine.public.push(PublicColumn::Sparse {
                log_words: 3,
                words: vec![(8, K::ONE)],
            });
        }),
        (MachineError::Public { column: 4, max: 28 }, |machine| {
            machine.public.push(PublicColumn::Sparse {
                log_words: 3,
                words: vec![(2, K::ONE), (2, K::X)],
            });
        }),
        (MachineError::Public { column: 4, max: 28 }, |machine| {
            machine.public.push(PublicColumn::Sparse {
                log_words: 29,
                words: vec![],
            });
        }),
        (MachineError::Fixed { number: 1 }, |machine| {
            machine.fixed[1].index = 16;
        }),
        (MachineError::Fixed { number: 2 }, |machine| {
            machine.fixed.push(Fixed {
                column: 2,
                index: 0,
                value: FixedValue::Constant(K::ONE),
            });
        }),
    ];
    for (expected, change) in refused {
        assert_eq!(refusal(change), expected);
    }
}

#[test]
fn an_index_may_use_all_bits_of_a_word() {
    let mut machine = everything();
    machine.boundary[3].tuple[1] = Coordinate::Index {
        base: u64::MAX,
        shift: 60,
    };
    assert_eq!(machine.check(), Ok(()));
}

#[test]
fn announced_words_are_counted_by_the_highest() {
    assert_eq!(machines::permutation().machine.announced(), 0);
    let mut machine = everything();
    assert_eq!(machine.announced(), 4);
    machine.fixed[1].value = FixedValue::Announced(9);
    assert_eq!(machine.announced(), 10);
}

#[test]
fn words_that_are_no_shape_are_refused() {
    let machine = everything();
    let refusal = |words: &[u64]| Shape::parse(&machine, words).unwrap_err();
    let length = |found| ShapeError::Length { found, expected: 8 };
    assert_eq!(refusal(&[]), length(0));
    assert_eq!(refusal(&[1; 7]), length(7));
    assert_eq!(refusal(&[1; 9]), length(9));
    let rate = |found| ShapeError::Rate {
        found,
        min: 1,
        max: 4,
    };
    for found in [0, 5, u64::MAX] {
        assert_eq!(refusal(&[found, 1, 0, 0, 0, 0, 0, 0]), rate(found));
    }
    // Blocks of 2^8 bits: 2^5 rows at least; of 2^7 bits: 2^6 rows.
    let height = |table, word: u64, min| ShapeError::Height {
        table,
        log_rows: word - 1,
        min,
        max: 28,
    };
    for (position, table, min) in [
        (1, "accesses", 0),
        (4, "sums", 5),
        (6, "sums and masks", 6),
        (7, "masks", 6),
    ] {
        let low = (1..=min).collect::<Vec<u64>>();
        for word in low.into_iter().chain([30, u64::MAX]) {
            let mut words = [0; 8];
            (words[0], words[position]) = (1, word);
            assert_eq!(refusal(&words), height(table, word, min as usize));
        }
        for word in [min + 1, 29] {
            let mut words = [0; 8];
            (words[0], words[position]) = (1, word);
            assert_eq!(Shape::parse(&machine, &words).unwrap().to_words(), words);
        }
    }
    assert_eq!(refusal(&[4, 0, 0, 0, 0, 0, 0, 0]), ShapeError::Empty);
}

/// A machine of one table with a flush that reads a producer.
fn reader(flushes: usize, log_len: usize) -> Machine {
    let separator = K(1);
    let table = Table {
        name: "reader",
        columns: 1,
        flushes: vec![machines::pull(machines::tuple(1, &[0])); flushes],
        ..Table::default()
    };
    Machine {
        tables: vec![table],
        producers: vec![Producer {
            name: "list",
            log_len,
            tuple: vec![
                Coordinate::Constant(separator),
                Coordinate::Index { base: 0, shift: 0 },
            ],
        }],
        ..Machine::default()
    }
}

fn shape(heights: &[Option<usize>]) -> Shape {
    Shape {
        log_inv_rate: 1,
        heights: heights.to_vec(),
    }
}

#[test]
fn the_bits_of_a_count_are_those_of_the_number_of_reads() {
    // 2^log_rows reads for each flush.
    for (flushes, log_rows, bits) in [(1, 0, 1), (1, 3, 4), (3, 2, 4), (7, 0, 3), (8, 0, 4), (1, 27, 28)] {
        let machine = reader(flushes, 2);
        let layout = Layout::new(&machine, &shape(&[Some(log_rows)])).unwrap();
        assert_eq!(
            layout.producers[0].bits, bits,
            "{flushes} times 2^{log_rows} reads"
        );
    }
    let machine = reader(2, 2);
    let refusal = LayoutError::Reads {
        producer: "list",
        reads: 1 << 28,
        max: 28,
    };
    assert_eq!(Layout::new(&machine, &shape(&[Some(27)])).unwrap_err(), refusal);
}

#[test]
fn layouts_that_are_too_large_are_refused() {
    // 2^24 entries, read 2^26 times: 2^26 + 27 * 2^24 leaves, and entries to powers of 2^27 - 1 in all.
    let machine = reader(1, 24);
    let degree = 4 * ((1usize << 26) + 27 * (1 << 24) + (1 << 24) * ((1 << 27) - 1));
    assert!(degree > 1 << 52);
    let refusal = LayoutError::Degree { degree, max: 52 };
    assert_eq!(Layout::new(&machine, &shape(&[Some(26)])).unwrap_err(), refusal);
    let machine = reader(1, 23);
    let layout = Layout::new(&machine, &shape(&[Some(25)])).unwrap();
    assert!(layout.degree() <= 1 << 52 && layout.degree() > 1 << 51);

    let machine = machines::permutation().machine;
    let refusal = Layout::new(&machine, &shape(&[Some(28), None, None])).unwrap_err();
    assert!(matches!(refusal, LayoutError::Stack(_)), "{refusal:?}");
    let refusal = Layout::new(&machine, &shape(&[Some(1), None])).unwrap_err();
    let tables = LayoutError::Tables {
        found: 2,
        expected: 3,
    };
    assert_eq!(refusal, tables);
    let rate = Shape {
        log_inv_rate: 5,
        ..shape(&[Some(1), None, None])
    };
    assert!(matches!(
        Layout::new(&machine, &rate).unwrap_err(),
        LayoutError::Parameters(_)
    ));
    let machine = machines::circuits().machine;
    let refusal = Layout::new(&machine, &shape(&[Some(4), None, None, None])).unwrap_err();
    assert!(matches!(refusal, LayoutError::Batch(_)), "{refusal:?}");
}

#[test]
fn a_small_layout_is_what_the_page_says() {
    let case = machines::memory();
    let layout = case.layout();
    // Push: the table's tuples 1 and 3, the boundaries 0 (one tuple) and 1 (sixteen). Pull: 0 and 2, 2 and 3.
    let block = |source, log_len, offset| Leaves {
        source,
        log_len,
        offset,
    };
    let flush = |flush| Source::Flush { place: 0, flush };
    let expected = [[(1, 3), (1, 0)], [(0, 2), (2, 3)]].map(|[flushes, boundaries]| {
        let (large, small) = if boundaries.0 == 1 { (1, 0) } else { (2, 3) };
        vec![
            block(Source::Boundary(large), 4, 0),
            block(flush(flushes.0), 3, 16),
            block(flush(flushes.1), 3, 24),
            block(Source::Boundary(small), 0, 32),
        ]
    });
    assert_eq!(layout.leaves, expected);
    assert_eq!((layout.log_leaves, layout.log_rows), (6, 3));
    assert_eq!(layout.degree(), 4 * 2 * 33);
    // Free columns are the largest; the seven columns of the table follow.
    let offsets: Vec<usize> = layout.columns.iter().map(|region| region.offset).collect();
    assert_eq!(offsets, [0, 16]);
    let offsets: Vec<usize> = layout.tables[0]
        .columns
        .iter()
        .map(|region| region.offset)
        .collect();
    assert_eq!(offsets, [32, 40, 48, 56, 64, 72, 80]);
    assert_eq!(layout.placed, 88);
    assert!(layout.batch.is_none());

    let case = machines::lookup();
    let layout = case.layout();
    // Ten reads of the squares, eight of the small numbers: four bits each. Nobody reads the third list.
    let bits: Vec<usize> = layout.producers.iter().map(|place| place.bits).collect();
    assert_eq!(bits, [4, 4, 0]);
    let bit = |producer, bit| Source::Bit { producer, bit };
    let mut push = vec![block(Source::Boundary(0), 4, 0)];
    push.extend((0..4).map(|b| block(bit(0, b), 4, 16 + 16 * b)));
    push.extend((0..4).map(|b| block(bit(1, b), 3, 80 + 8 * b)));
    assert_eq!(layout.leaves[0], push);
    let flush = |place, flush| Source::Flush { place, flush };
    let pull = [
        block(Source::Boundary(1), 4, 0),
        block(flush(0, 0), 3, 16),
        block(flush(0, 1), 3, 24),
        block(flush(1, 0), 1, 32),
    ];
    assert_eq!(layout.leaves[1], pull);
    // 112 leaves of 2^7; the unread list has 2^6 entries.
    assert_eq!((layout.log_leaves, layout.log_rows), (7, 6));
    assert_eq!(layout.degree(), 4 * (112 + 34 + (16 + 8) * 15));

    let case = machines::circuits();
    let layout = case.layout();
    let places: Vec<_> = layout.tables.iter().map(|place| place.number).collect();
    assert_eq!(places, [0, 2, 3]);
    let members: Vec<_> = layout.batch.as_ref().unwrap().members().iter().collect();
    let sizes: Vec<_> = members
        .iter()
        .map(|member| (member.group, member.log_words))
        .collect();
    assert_eq!(sizes, [(0, 7), (0, 8), (1, 7), (1, 7)]);
    // Blocks largest first: 2^8 words, then 2^7 in the order of the tables, then the column of 2^5.
    let offset = |place: usize, block: usize| layout.tables[place].blocks[block].offset;
    assert_eq!(
        [offset(1, 0), offset(0, 0), offset(1, 1), offset(2, 0)],
        [0, 256, 384, 512]
    );
    assert_eq!(layout.tables[0].columns[0].offset, 640);
    assert_eq!(layout.tables[1].log_block_words, [2, 1]);
}

#[test]
fn the_point_has_a_coordinate_for_each_variable_of_every_table() {
    // A table of 2^5 rows that has no tuples, beside buses of four leaves; a list of 2^9 entries that nobody reads.
    let case = machines::constants();
    assert_eq!((case.layout().log_leaves, case.layout().log_rows), (5, 5));
    let mut machine = reader(1, 9);
    machine.tables[0].flushes.clear();
    let layout = Layout::new(&machine, &shape(&[Some(2)])).unwrap();
    assert_eq!((layout.log_leaves, layout.log_rows), (9, 9));
}

#[test]
fn a_machine_without_a_bus_has_two_leaves() {
    let machine = Machine {
        tables: vec![Table {
            name: "alone",
            columns: 1,
            ..Table::default()
        }],
        columns: vec![FreeColumn {
            name: "free",
            log_words: 3,
        }],
        boundary: vec![Boundary {
            side: Side::Push,
            log_len: 0,
            tuple: vec![Coordinate::Constant(K::ONE)],
        }],
        ..Machine::default()
    };
    let layout = Layout::new(&machine, &shape(&[Some(0)])).unwrap();
    assert_eq!((layout.log_leaves, layout.log_rows), (1, 0));
    assert_eq!(layout.leaves[1], []);
}

#[test]
fn what_everybody_knows_of_a_table_has_a_word_for_each_row() {
    let machine = machines::known(3).machine;
    let refusal = Layout::new(&machine, &shape(&[Some(2), Some(0)])).unwrap_err();
    let public = |table, log_rows, column| LayoutError::Public {
        table,
        log_rows,
        column,
    };
    assert_eq!(refusal, public("cells", 2, 0));
    let refusal = Layout::new(&machine, &shape(&[Some(3), Some(1)])).unwrap_err();
    assert_eq!(refusal, public("one cell", 1, 1));
    // An absent table has no rows.
    assert!(Layout::new(&machine, &shape(&[None, Some(0)])).is_ok());

    let mut machine = machine;
    machine.tables[0].index[1].shift = 61;
    assert!(Layout::new(&machine, &shape(&[Some(3), Some(0)])).is_ok());
    machine.tables[0].index[1].shift = 62;
    let refusal = Layout::new(&machine, &shape(&[Some(3), Some(0)])).unwrap_err();
    let index = LayoutError::Index {
        table: "cells",
        column: 1,
        bits: 65,
    };
    assert_eq!(refusal, index);
}
