//! Witnesses with one thing changed: what is wrong with each, and which check refuses its proof.

mod accesses;
mod arithmetic;
mod blocks;
#[path = "../both_parts/mod.rs"]
mod both_parts;
mod control;
#[path = "../corpus/mod.rs"]
mod corpus;
mod fixture;
mod forge;
mod mutations;
mod padding;
mod parts;
#[path = "../../../rv/tests/machine/random_program.rs"]
#[allow(dead_code, reason = "the tests of rv use more of it")]
mod random_program;
mod sweep;
