//! What every table is made of.

use argument::layout::Layout;
use argument::machine::{Coordinate, Form, MAX_COORDINATES, Machine, PublicColumn, Side, Table};
use argument::shape::Shape;
use leanvm_core::columns::{Column, columns};
use leanvm_core::machine::machine;
use leanvm_core::parts::{PARTS, TABLES, class_and_part, number, second_name};
use rv::Class;
use rv::program::slot_pc;

use super::random_program::{Random, wild};

/// The page that has the table of words per row.
const PAGE: &str = include_str!("../../../../doc/riscv.md");

fn some_machine() -> Machine {
    machine(wild(&mut Random::new(1), 10).0.public())
}

/// All forms of a table.
fn forms(table: &Table) -> impl Iterator<Item = &Form> {
    let tuples = table.flushes.iter().flat_map(|flush| &flush.tuple);
    tuples.chain(&table.identities)
}

#[test]
fn no_form_is_above_degree_two_and_no_tuple_above_sixteen_coordinates() {
    for table in some_machine().tables {
        assert!(forms(&table).all(|form| form.degree() <= 2), "{}", table.name);
        for flush in &table.flushes {
            assert!(flush.tuple.len() <= MAX_COORDINATES, "{}", table.name);
        }
    }
}

#[test]
fn every_column_is_in_a_form() {
    for table in some_machine().tables {
        let columns = table.columns + table.ports.len();
        let mut used = vec![false; columns];
        forms(&table)
            .flat_map(Form::columns)
            .for_each(|column| used[column] = true);
        assert_eq!(used, vec![true; columns], "{}", table.name);
    }
}

#[test]
fn the_ports_are_those_of_the_circuits_but_for_the_hints_of_a_division() {
    let machine = some_machine();
    for (table, class) in machine.tables.iter().zip(Class::ALL.repeat(PARTS)) {
        let mut expected = Vec::new();
        if let [own, _] = table.blocks[..] {
            let circuit = &machine.circuits[own];
            let hints = if class == Class::Div { 3..5 } else { 0..0 };
            let words = 0..circuit.inputs() + circuit.outputs();
            expected.extend(words.filter(|word| !hints.contains(word)).map(|word| (0, word)));
        }
        let clock = table.blocks.len() - 1;
        let prevs: &[usize] = match class {
            Class::Hash => &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17],
            Class::Ext => &[0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12],
            Class::Addi | Class::Jump | Class::Shifti => &[0, 2],
            Class::Eq => &[0, 1],
            _ => &[0, 1, 2],
        };
        expected.push((clock, 0));
        expected.extend(prevs.iter().map(|slot| (clock, 1 + slot)));
        expected.push((clock, machine.circuits[table.blocks[clock]].inputs()));
        let ports: Vec<_> = table.ports.iter().map(|port| (port.block, port.word)).collect();
        assert_eq!(ports, expected, "{class}");

        let sides: Vec<Side> = table.flushes.iter().map(|flush| flush.side).collect();
        let pair = [Side::Pull, Side::Push];
        let accesses = pair.repeat(prevs.len());
        assert_eq!(sides, [&pair[..], &[Side::Pull], &accesses].concat(), "{class}");
    }
}

#[test]
fn the_committed_words_of_a_row_are_those_of_the_page() {
    let machine = some_machine();
    for table in &machine.tables[..Class::COUNT] {
        let blocks: Vec<usize> = table
            .blocks
            .iter()
            .map(|&number| machine.circuits[number].block_words())
            .collect();
        let (own, clock) = match blocks[..] {
            [own, clock] => (own, clock),
            _ => (0, blocks[0]),
        };
        let row = format!(
            "| {} | {own} | {clock} | {} | {} |",
            table.name,
            table.columns,
            own + clock + table.columns
        );
        assert!(PAGE.contains(&row), "{row}");
    }
}

#[test]
fn the_columns_of_a_class_are_those_of_the_page() {
    for class in Class::ALL {
        let own: &[&str] = match class {
            Class::Jump => &["b"],
            Class::Eq => &["v1", "v2", "z", "e"],
            Class::Ld => &["cell"],
            Class::Sd => &["v2", "cell"],
            Class::Hash => &["v1", "o0", "o1", "o2", "o3"],
            Class::Ext => &["x0", "x1", "x2", "y0", "y1", "y2", "z0", "z1", "z2"],
            _ => &[],
        };
        let name = |column: &Column| match *column {
            Column::Constant(i) => format!("c{i}"),
            Column::Own(i) => own[i].into(),
            _ => format!("{column:?}").to_lowercase(),
        };
        let names: Vec<String> = columns(class).iter().map(name).collect();
        let row = format!("| {class} | {} |\n", names.join(" "));
        assert!(PAGE.contains(&row), "{row}");
    }
}

#[test]
fn the_second_table_of_a_class_is_the_first_by_another_name() {
    let machine = some_machine();
    assert_eq!(machine.tables.len(), TABLES);
    for class in Class::ALL {
        let [first, second] = [0, 1].map(|part| &machine.tables[number(class, part)]);
        assert_eq!(first.name, class.name());
        assert_eq!(second.name, format!("second {class}"));
        let renamed = Table {
            name: second_name(class),
            ..first.clone()
        };
        assert_eq!(*second, renamed);
        for part in 0..PARTS {
            assert_eq!(class_and_part(number(class, part)), (class, part));
        }
    }
}

#[test]
fn the_producer_has_the_entries() {
    let program = wild(&mut Random::new(1), 10).0;
    let machine = machine(program.public());
    let [bytecode] = &machine.producers[..] else {
        panic!("the machine has one producer")
    };
    let entries = program.table().entries();
    assert_eq!(1 << bytecode.log_len, entries.len());
    for (slot, entry) in entries.iter().enumerate() {
        let word = |coordinate: &Coordinate| match *coordinate {
            Coordinate::Constant(word) => word.0,
            Coordinate::Index { base, shift } => base ^ (slot as u64) << shift,
            Coordinate::Public(column) => match &machine.public[column] {
                PublicColumn::Dense(words) => words[slot].0,
                PublicColumn::Sparse { .. } => panic!("a producer has dense columns"),
            },
            _ => panic!("a producer is public"),
        };
        let tuple: Vec<u64> = bytecode.tuple.iter().map(word).collect();
        assert_eq!(tuple, entry.tuple(2, slot_pc(slot)), "slot {slot}");
    }
}

#[test]
fn the_machine_has_a_layout_for_every_shape_of_few_rows() {
    let machine = some_machine();
    let least: Vec<usize> = machine
        .tables
        .iter()
        .map(|table| table.min_log_rows(&machine))
        .collect();
    for absent in 0..=TABLES {
        let heights = least.iter().enumerate();
        let heights = heights.map(|(i, &rows)| (i != absent).then_some(rows));
        let shape = Shape {
            log_inv_rate: 1,
            heights: heights.collect(),
        };
        let layout = Layout::new(&machine, &shape).unwrap();
        assert_eq!(layout.tables.len(), TABLES - usize::from(absent < TABLES));
        assert_eq!(layout.producers.len(), 1);
        assert_eq!(Shape::parse(&machine, &shape.to_words()), Ok(shape));
    }
}
