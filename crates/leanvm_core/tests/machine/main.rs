//! The machine as tables: what every row puts on the bus is what the interpreter does.

#[path = "../both_parts/mod.rs"]
mod both_parts;
#[path = "../corpus/mod.rs"]
mod corpus;
#[path = "../../../rv/tests/machine/edge_programs.rs"]
#[allow(dead_code, reason = "the tests of rv use more of it")]
mod edge_programs;
mod edges;
mod guests;
mod known_run;
mod padding;
mod parts;
mod proofs;
#[path = "../../../rv/tests/machine/random_program.rs"]
#[allow(dead_code, reason = "the tests of rv use more of it")]
mod random_program;
mod reference;
mod row;
mod rows;
mod shapes;
mod witness;

/// The number of random programs of a test.
const PROGRAMS: usize = 256;
