//! Runs whose rows stand in both tables of a class.

use argument::shape::Shape;
use leanvm_core::machine::machine;
use leanvm_core::parts::{PARTS, TABLES, class_and_part, number};
use leanvm_core::witness::{Target, WitnessError, measure};
use rv::{Class, Limits, Program};

use super::both_parts::both_parts;
use super::proofs::{SAMPLES, proven, repeated};
use super::witness::{LEAST, checked, every_class};

/// The heights of both tables of a class.
fn heights(shape: &Shape, class: Class) -> [Option<usize>; PARTS] {
    [0, 1].map(|part| shape.heights[number(class, part)])
}

/// A program with so many rows of the class of a sample.
fn with_rows(class: Class, sample: &str, rows: usize) -> Program {
    let none = repeated(sample, 0);
    let besides = rv::run(&none, &[], Limits::default(), &mut ())
        .unwrap()
        .rows(&none);
    repeated(sample, rows - besides[class.index()] as usize)
}

#[test]
fn both_tables_hold_as_many_rows_as_they_have_and_no_more() {
    for (class, sample) in Class::ALL.into_iter().zip(SAMPLES) {
        // Three times the rows of the smallest table: two in the first, one in the second.
        let (mut capacity, mut shapes) = (0, Vec::new());
        for change in [-1, 0, 1] {
            let some = with_rows(class, sample, 64);
            let machine = machine(some.public());
            let least = machine.tables[class.index()].min_log_rows(&machine);
            capacity = 3 << least;
            let rows = (capacity as isize + change) as usize;
            let program = with_rows(class, sample, rows);
            let machine = leanvm_core::machine::machine(program.public());
            let measured = measure(&machine, &program, &[], Limits::default(), LEAST).unwrap();
            assert_eq!(measured.rows[class.index()], rows as u64);
            let mut shape = measured.shape;
            shape.heights[number(class, 0)] = Some(least + 1);
            shape.heights[number(class, 1)] = Some(least);
            let target = Target::Shape(&shape);
            let run = checked(&machine, &program, &[], target);
            if change == 1 {
                let refused = WitnessError::Rows {
                    class: class.name(),
                    rows: rows as u64,
                    capacity: capacity as u64,
                };
                assert_eq!(run.unwrap_err(), refused);
                continue;
            }
            let run = run.unwrap();
            let places = run.layout.tables.iter().zip(&run.live);
            let live = places.filter(|(place, _)| class_and_part(place.number).0 == class);
            let live: Vec<usize> = live.map(|(_, &live)| live).collect();
            assert_eq!(live, [2 << least, rows - (2 << least)], "{class}");
            shapes.push(proven(&program, &[], target).shape);
        }
        assert_eq!(shapes.len(), 2, "{capacity} rows of {class}, and one less");
    }
}

#[test]
fn a_run_is_proven_in_two_tables_where_they_are_many_words_less() {
    // 2^9 + 2^7 rows of HASH.
    for (rows, expected) in [(639, [9, 7]), (640, [9, 7]), (641, [9, 8])] {
        let shape = proven(&with_rows(Class::Hash, "blake2s s1, t0", rows), &[], LEAST).shape;
        assert_eq!(heights(&shape, Class::Hash), expected.map(Some), "{rows} rows");
    }
}

#[test]
fn a_shape_may_have_second_tables_alone() {
    let program = every_class(9);
    let machine = machine(program.public());
    let least = measure(&machine, &program, &[7], Limits::default(), LEAST).unwrap();
    let mut shape = least.shape;
    shape.heights.rotate_right(Class::COUNT);
    assert!(shape.heights[..Class::COUNT].iter().all(Option::is_none));
    let run = checked(&machine, &program, &[7], Target::Shape(&shape)).unwrap();
    assert_eq!(run.layout.tables.len(), Class::COUNT);
    proven(&program, &[7], Target::Shape(&shape));
}

#[test]
fn a_run_is_proven_with_both_tables_of_every_class() {
    let program = every_class(40);
    let shape = both_parts(&machine(program.public()), &program, &[7], 2);
    let proven = proven(&program, &[7], Target::Shape(&shape));
    assert_eq!(proven.shape.heights.iter().flatten().count(), TABLES);
}
