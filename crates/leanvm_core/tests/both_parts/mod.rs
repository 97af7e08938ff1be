//! Shapes in which both tables of every class are present.

use argument::machine::Machine;
use argument::shape::Shape;
use leanvm_core::parts::{TABLES, number};
use rv::{Class, Limits, Program};

/// The shape of a program's run on this advice in which every class has both its tables: the first of the least height,
/// the second of the least that holds what is left.
pub(crate) fn both_parts(machine: &Machine, program: &Program, advice: &[u64], log_inv_rate: usize) -> Shape {
    let run = rv::run(program, advice, Limits { cycles: 1 << 20 }, &mut ()).unwrap();
    let mut heights = vec![None; TABLES];
    for (class, rows) in Class::ALL.into_iter().zip(run.rows(program)) {
        let least = machine.tables[number(class, 0)].min_log_rows(machine);
        let left = rows.saturating_sub(1 << least).next_power_of_two().ilog2() as usize;
        heights[number(class, 0)] = Some(least);
        heights[number(class, 1)] = Some(left.max(least));
    }
    Shape {
        log_inv_rate,
        heights,
    }
}
