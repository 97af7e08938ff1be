//! Edge cases of instructions, with the values that the RISC-V specification gives.

use rv::Limits;

use super::edge_programs::{self, Edge};

/// Asserts that the interpreter leaves what it must.
fn assert_left(edges: Vec<Edge>) {
    for edge in edges {
        let Edge {
            name,
            program,
            advice,
            left,
        } = edge;
        let run = rv::run(&program, &advice, Limits { cycles: 1 << 20 }, &mut ());
        let run = run.unwrap_or_else(|error| panic!("{error}: {name}"));
        assert!(!left.is_empty());
        for (place, expected) in left {
            assert_eq!(place.of(&run), expected, "{place:?} after {name}");
        }
    }
}

#[test]
fn division_by_zero_gives_all_ones_and_the_dividend() {
    assert_left(edge_programs::division_by_zero());
}

#[test]
fn the_overflow_of_division_gives_the_dividend_and_zero() {
    assert_left(edge_programs::overflows_of_division());
}

#[test]
fn high_halves_of_products() {
    assert_left(edge_programs::high_halves());
}

#[test]
fn shifts_by_zero_and_by_the_width() {
    assert_left(edge_programs::shifts());
}

#[test]
fn word_forms_extend_the_sign() {
    assert_left(edge_programs::word_forms());
}

#[test]
fn comparisons_with_immediates_extend_them_first() {
    assert_left(edge_programs::comparisons());
}

#[test]
fn loads_extend_and_stores_keep_the_neighbours() {
    assert_left(edge_programs::loads_and_stores());
}

#[test]
fn x0_as_destination_is_written_by_nothing() {
    assert_left(edge_programs::writes_to_x0());
}

#[test]
fn jalr_reads_its_base_before_it_links() {
    assert_left(edge_programs::links());
}

#[test]
fn branches_reach_the_ends_of_their_range() {
    let edges = edge_programs::farthest_branches();
    let distance = |slot: usize| edges[0].program.instructions()[slot].unwrap().imm;
    assert_eq!([distance(3), distance(1028)], [4092, -4096]);
    assert_left(edges);
}

#[test]
fn distances_encode_up_to_the_ends_of_their_range() {
    for (imm, encodes) in [
        (4094, true),
        (4096, false),
        (-4096, true),
        (-4098, false),
        (1, false),
    ] {
        let branch = rv::isa::Instruction {
            op: rv::isa::Op::Beq,
            rd: 0,
            rs1: 1,
            rs2: 2,
            imm,
        };
        assert_eq!(branch.encode().is_some(), encodes, "{imm}");
        assert_eq!(
            branch.encode().and_then(rv::isa::Instruction::decode),
            encodes.then_some(branch)
        );
    }
    for (imm, encodes) in [
        (0xf_fffe, true),
        (0x10_0000, false),
        (-0x10_0000, true),
        (-0x10_0002, false),
    ] {
        let jump = rv::isa::Instruction {
            op: rv::isa::Op::Jal,
            rd: 1,
            rs1: 0,
            rs2: 0,
            imm,
        };
        assert_eq!(jump.encode().is_some(), encodes, "{imm}");
    }
}

#[test]
fn the_advice_is_readable_and_writable() {
    assert_left(edge_programs::writes_to_the_advice());
}

#[test]
fn a_hash_block_is_addressed_by_exclusive_or() {
    assert_left(edge_programs::blocks());
}

#[test]
fn extension_products_may_alias_their_operands() {
    assert_left(edge_programs::aliases());
}

#[test]
fn fences_do_nothing() {
    assert_left(edge_programs::fences());
}

/// A group that no test above names would be run by none here.
#[test]
fn all_edge_programs_are_run() {
    assert_left(edge_programs::all());
}
