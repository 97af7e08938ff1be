//! Edge cases of instructions, with the values that the RISC-V specification gives.

use rv::program::RAM_BASE;

use super::run;

/// The value that `code` leaves in a0, with a1 and a2 set.
fn value(code: &str, a1: u64, a2: u64) -> u64 {
    let source = format!("li a1, {a1}\nli a2, {a2}\n{code}\nli a7, 93\necall");
    run(&source, &[]).unwrap_or_else(|error| panic!("{error}")).output[0]
}

/// A 32-bit value in a register.
fn word(value: i32) -> u64 {
    i64::from(value) as u64
}

const MIN: u64 = 1 << 63;
const ONES: u64 = u64::MAX;

#[test]
fn division_by_zero_gives_all_ones_and_the_dividend() {
    for a in [0, 1, MIN, ONES, 12345, 0xffff_ffff_0000_0000] {
        assert_eq!(value("div a0, a1, a2", a, 0), ONES);
        assert_eq!(value("divu a0, a1, a2", a, 0), ONES);
        assert_eq!(value("rem a0, a1, a2", a, 0), a);
        assert_eq!(value("remu a0, a1, a2", a, 0), a);
        // The divisor's upper half is ignored.
        for b in [0, 1 << 32, ONES << 32] {
            assert_eq!(value("divw a0, a1, a2", a, b), ONES);
            assert_eq!(value("divuw a0, a1, a2", a, b), ONES);
            assert_eq!(value("remw a0, a1, a2", a, b), word(a as i32));
            assert_eq!(value("remuw a0, a1, a2", a, b), word(a as i32));
        }
    }
}

#[test]
fn the_overflow_of_division_gives_the_dividend_and_zero() {
    assert_eq!(value("div a0, a1, a2", MIN, ONES), MIN);
    assert_eq!(value("rem a0, a1, a2", MIN, ONES), 0);
    for (a, b) in [(word(i32::MIN), ONES), (1 << 31, 0xffff_ffff)] {
        assert_eq!(value("divw a0, a1, a2", a, b), word(i32::MIN));
        assert_eq!(value("remw a0, a1, a2", a, b), 0);
    }
    assert_eq!(
        value("div a0, a1, a2", 7u64.wrapping_neg(), 2),
        3u64.wrapping_neg()
    );
    assert_eq!(value("rem a0, a1, a2", 7u64.wrapping_neg(), 2), ONES);
    assert_eq!(value("rem a0, a1, a2", 7, 2u64.wrapping_neg()), 1);
    assert_eq!(value("divuw a0, a1, a2", ONES, 1), ONES);
    assert_eq!(value("remuw a0, a1, a2", 1 << 31, 0xffff_ffff), word(i32::MIN));
}

#[test]
fn high_halves_of_products() {
    assert_eq!(value("mulh a0, a1, a2", MIN, MIN), 1 << 62);
    assert_eq!(value("mulh a0, a1, a2", ONES, ONES), 0);
    assert_eq!(value("mulhu a0, a1, a2", ONES, ONES), ONES - 1);
    assert_eq!(value("mulhsu a0, a1, a2", ONES, ONES), ONES);
    assert_eq!(value("mulhsu a0, a1, a2", MIN, ONES), MIN);
    assert_eq!(value("mulhsu a0, a1, a2", 1, ONES), 0);
    assert_eq!(value("mulw a0, a1, a2", 0x10000, 0x8000), word(i32::MIN));
}

#[test]
fn shifts_by_zero_and_by_the_width() {
    let a = 0x8000_0001_8000_0001;
    for code in ["slli", "srli", "srai"] {
        assert_eq!(value(&format!("{code} a0, a1, 0"), a, 0), a);
    }
    for code in ["slliw", "srliw", "sraiw"] {
        assert_eq!(value(&format!("{code} a0, a1, 0"), a, 0), word(a as i32));
    }
    assert_eq!(value("slli a0, a1, 63", a, 0), MIN);
    assert_eq!(value("srli a0, a1, 63", a, 0), 1);
    assert_eq!(value("srai a0, a1, 63", a, 0), ONES);
    assert_eq!(value("slliw a0, a1, 31", a, 0), word(i32::MIN));
    assert_eq!(value("srliw a0, a1, 31", a, 0), 1);
    assert_eq!(value("sraiw a0, a1, 31", a, 0), ONES);
    // An amount in a register counts modulo the width.
    for (code, width) in [
        ("sll", 64),
        ("srl", 64),
        ("sra", 64),
        ("sllw", 32),
        ("srlw", 32),
        ("sraw", 32),
    ] {
        let code = format!("{code} a0, a1, a2");
        for amount in [0, 1, width - 1] {
            for turns in [width, 7 * width, 1 << 32, MIN] {
                assert_eq!(value(&code, a, amount), value(&code, a, amount + turns));
            }
        }
    }
}

#[test]
fn word_forms_extend_the_sign() {
    assert_eq!(value("addw a0, a1, a2", 0x7fff_ffff, 1), word(i32::MIN));
    assert_eq!(value("subw a0, a1, a2", word(i32::MIN), 1), 0x7fff_ffff);
    assert_eq!(value("addiw a0, a1, -1", 0x1_0000_0000, 0), ONES);
    assert_eq!(
        value("addiw a0, a1, 0", 0xdead_beef, 0),
        word(0xdead_beef_u32 as i32)
    );
    assert_eq!(value("sraiw a0, a1, 4", 0x8000_0000, 0), word(-0x800_0000));
    assert_eq!(value("srliw a0, a1, 4", ONES, 0), 0x0fff_ffff);
    assert_eq!(value("sllw a0, a1, a2", 1, 31), word(i32::MIN));
    assert_eq!(value("lui a0, 0x80000", 0, 0), word(i32::MIN));
}

#[test]
fn comparisons_with_immediates_extend_them_first() {
    assert_eq!(value("sltiu a0, a1, -1", ONES - 1, 0), 1);
    assert_eq!(value("sltiu a0, a1, -1", ONES, 0), 0);
    assert_eq!(value("slti a0, a1, -1", MIN, 0), 1);
    assert_eq!(value("slti a0, a1, 0", ONES, 0), 1);
    assert_eq!(value("sltiu a0, a1, 1", 0, 0), 1);
}

#[test]
fn loads_extend_and_stores_keep_the_neighbours() {
    let source = "
        lui a1, 0x40000
        li a2, 0x8182838485868788
        sd a2, 0(a1)
        lb t0, 3(a1)
        lbu t1, 3(a1)
        lh t2, 6(a1)
        lhu t3, 6(a1)
        lw t4, 4(a1)
        lwu t5, 4(a1)
        sb zero, 1(a1)
        sh zero, 4(a1)
        ld a0, 0(a1)
        sd t0, 8(a1)
        sd t1, 16(a1)
        sd t2, 24(a1)
        sd t3, 32(a1)
        sd t4, 40(a1)
        sd t5, 48(a1)
        li a7, 93
        ecall";
    let run = run(source, &[]).unwrap();
    assert_eq!(run.output[0], 0x8182_0000_8586_0088);
    let extended = [
        0xffff_ffff_ffff_ff85,
        0x85,
        0xffff_ffff_ffff_8182,
        0x8182,
        0xffff_ffff_8182_8384,
        0x8182_8384,
    ];
    assert_eq!(run.state.ram[1..7], extended);
}

#[test]
fn x0_as_destination_is_written_by_nothing() {
    for code in [
        "lui zero, 5",
        "addi zero, a1, 5",
        "jal zero, next\nnext:",
        "lui t0, 0x40000\nld zero, 0(t0)",
        "lui t0, 0x40000\nlb zero, 1(t0)",
        "add zero, a1, a2",
        "mul zero, a1, a2",
        "sltu zero, a2, a1",
        "auipc zero, 1",
        "auipc t0, 0\njalr zero, 8(t0)",
    ] {
        assert_eq!(value(&format!("{code}\nadd a0, zero, zero"), 7, 3), 0, "{code}");
    }
}

#[test]
fn jalr_reads_its_base_before_it_links() {
    let source = "
            la a1, there
            jalr a1, 1(a1)       # the lowest bit of the target is cleared
    here:   li a0, 1
            li a7, 93
            ecall
    there:  mv a2, a1
            li a7, 93
            ecall";
    let run = run(source, &[]).unwrap();
    assert_eq!(
        run.output[2], 0x1000_000c,
        "the link is the address after the jump"
    );
}

#[test]
fn branches_reach_the_ends_of_their_range() {
    // Slots: the first branch at 3 goes to 3 + 1023, the last at 1028 to 1028 - 1024.
    let source = format!(
        "j start\nback: li a7, 93\necall\nstart: beq zero, zero, far\nmiddle: j back\n{}\
         far: li a0, 9\nnop\nbeq zero, zero, middle",
        "unimp\n".repeat(1021)
    );
    let program = super::program(&source);
    let distance = |slot: usize| program.instructions()[slot].unwrap().imm;
    assert_eq!([distance(3), distance(1028)], [4092, -4096]);
    assert_eq!(run(&source, &[]).unwrap().output[0], 9);

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
    let source = "
        lui a1, 0x20000
        ld a0, 8(a1)
        sd a0, 16(a1)
        ld a1, 16(a1)
        li a7, 93
        ecall";
    let run = run(source, &[1, 77]).unwrap();
    assert_eq!(run.output[..2], [77, 77]);
    assert_eq!(run.state.advice[..4], [1, 77, 77, 0]);
}

#[test]
fn a_hash_block_is_addressed_by_exclusive_or() {
    // The block of a base in the middle of 128 bytes wraps around inside them.
    let source = "
        lui a1, 0x40000
        addi a1, a1, 64
        li a2, 64
        blake2s.final a1, a2
        li a7, 93
        ecall";
    let run = run(source, &[]).unwrap();
    let expected = primitives::blake2s::compress_words(&[0; 4], &[0; 8], 64, true);
    assert_eq!(run.state.ram[12..16], expected);
    assert!(run.state.ram[..12].iter().all(|&word| word == 0));
}

#[test]
fn extension_products_may_alias_their_operands() {
    let source = format!(
        "lui a1, {:#x}\nextmul a1, a1, a1\nextmac a1, a1, a1\nextmulk a1, a1, a1\nextmack a1, a1, a1\n\
         li a7, 93\necall",
        RAM_BASE >> 12
    );
    let text = super::program(&source).text().to_vec();
    let start = primitives::field::E::from_words([3, 5, 7]);
    let parts = rv::program::Parts {
        text,
        entry: rv::program::TEXT_BASE,
        log_ram: 4,
        image: vec![(0, 3), (1, 5), (2, 7)],
        ..rv::program::Parts::default()
    };
    let program = rv::Program::new(parts).unwrap();
    let run = rv::run(&program, &[], rv::Limits::default(), &mut ()).unwrap();
    let mut e = start;
    e = e * e;
    e = e + e * e;
    e = e * e.0[0];
    e = e + e * e.0[0];
    assert_eq!(run.state.ram[..3], e.to_words());
}

#[test]
fn fences_do_nothing() {
    for word in [0x0ff0_000f_u32, 0x8330_000f, 0x0100_000f, 0x0000_050f] {
        assert_eq!(value(&format!("li a0, 3\n.word {word:#x}"), 0, 0), 3);
    }
}
