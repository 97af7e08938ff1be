//! The edge cases of instructions, of which the interpreter's tests have a program each, are each proven.

use super::edge_programs::{Edge, Place, all};
use super::proofs::proven;
use super::witness::LEAST;

#[test]
fn each_edge_program_is_proven_to_leave_what_it_must() {
    for edge in all() {
        let Edge {
            name,
            program,
            advice,
            left,
        } = edge;
        let output = proven(&program, &advice, LEAST).output;
        for (place, expected) in left {
            // Memory at the end is no part of the statement.
            if let Place::Output(i) = place {
                assert_eq!(output[i], expected, "word {i} of the output of {name}");
            }
        }
    }
}
