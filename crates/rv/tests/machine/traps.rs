//! Every trap says what, where and why.

use rv::interpreter::PANIC;
use rv::program::{RAM_BASE, TEXT_BASE};
use rv::trap::{Cause, Illegal, Panic, Region, Trap};
use rv::{Limits, RunError};

use super::{program, run};

/// The trap of a text.
fn trap(source: &str) -> Trap {
    match run(source, &[]) {
        Err(RunError::Trap(trap)) => *trap,
        other => panic!("no trap: {other:?}"),
    }
}

#[test]
fn undefined_words_trap_by_kind() {
    for (word, expected) in [
        (0xc000_1073_u32, Illegal::Unimp),
        (0, Illegal::Unimp),
        (0x0010_0073, Illegal::Breakpoint),
        (0xc000_2573, Illegal::System), // rdcycle a0
        (0x1050_0073, Illegal::System), // wfi
        (0x0000_100f, Illegal::FenceI),
        (0x0000_4505, Illegal::Compressed), // c.li a0, 1
        (0x1005_252f, Illegal::Atomic),     // lr.w a0, (a0)
        (0x02a5_7553, Illegal::Float),      // fadd.d fa0, fa0, fa0
        (0xffff_ffff, Illegal::Undefined),
        (0x0400_0033, Illegal::Undefined), // an R-type word with funct7 = 2
        (0x0800_1013, Illegal::Undefined), // slli with a reserved bit
        (0x0200_101b, Illegal::Undefined), // slliw by 32
        (0x0000_7003, Illegal::Undefined), // the unused width of loads
        (0x0000_008b, Illegal::Undefined), // blake2s with rd = 1
        (0x0000_202b, Illegal::Undefined), // extmulk with rd = 0
        (0x0000_40ab, Illegal::Undefined), // custom-1 with funct3 = 4
    ] {
        let trap = trap(&format!("nop\n.word {word:#x}"));
        assert_eq!(trap.cause, Cause::Illegal(expected), "{word:#x}");
        assert_eq!((trap.pc, trap.cycle), (TEXT_BASE + 4, 2));
    }
}

#[test]
fn a_misaligned_access_traps_at_every_width() {
    for (code, width) in [
        ("lh", 2),
        ("lhu", 2),
        ("lw", 4),
        ("lwu", 4),
        ("ld", 8),
        ("sh", 2),
        ("sw", 4),
        ("sd", 8),
    ] {
        for offset in 1..width {
            let expected = Cause::Misaligned {
                address: RAM_BASE + offset,
                width,
            };
            assert_eq!(
                trap(&format!("lui a1, 0x40000\n{code} a0, {offset}(a1)")).cause,
                expected
            );
            // A misaligned address in no region is misaligned.
            assert_eq!(
                trap(&format!("{code} a0, {offset}(zero)")).cause,
                Cause::Misaligned {
                    address: offset,
                    width
                }
            );
        }
    }
}

#[test]
fn an_access_outside_the_regions_traps_at_every_width() {
    for (code, width) in [
        ("lb", 1),
        ("lbu", 1),
        ("lh", 2),
        ("lhu", 2),
        ("lw", 4),
        ("lwu", 4),
        ("ld", 8),
        ("sb", 1),
        ("sh", 2),
        ("sw", 4),
        ("sd", 8),
    ] {
        for (address, region) in [
            (0, Region::Null),
            (0x1000, Region::Nowhere),
            (TEXT_BASE, Region::Text),
            (0x2000_0000 + 8 * 64, Region::AfterAdvice { words: 64 }),
            (RAM_BASE - 8, Region::BeforeRam),
            (RAM_BASE + 8 * 1024, Region::AfterRam { words: 1024 }),
            (0x6000_0000, Region::Nowhere),
            (1 << 32 | RAM_BASE, Region::Nowhere),
            (0xffff_ffff_ffff_fff8, Region::Nowhere),
        ] {
            let trap = trap(&format!("li a1, {address:#x}\n{code} a0, 0(a1)"));
            assert_eq!(
                trap.cause,
                Cause::OutOfRegion {
                    address,
                    width,
                    region
                },
                "{code}"
            );
        }
    }
}

#[test]
fn the_custom_instructions_trap_outside_memory() {
    let misaligned = |address| Cause::Misaligned { address, width: 8 };
    assert_eq!(
        trap("lui a1, 0x40000\naddi a1, a1, 4\nblake2s a1, zero").cause,
        misaligned(RAM_BASE + 4)
    );
    assert!(matches!(
        trap("blake2s zero, zero").cause,
        Cause::OutOfRegion { address: 0, .. }
    ));
    // The last limb is one word too far, and nothing was written before the trap.
    let last = RAM_BASE + 8 * 1022;
    for code in [
        "extmul a1, a2, a2",
        "extmul a2, a1, a2",
        "extmul a2, a2, a1",
        "extmack a1, a2, a2",
    ] {
        let trap = trap(&format!("li a1, {last}\nlui a2, 0x40000\n{code}"));
        assert!(
            matches!(trap.cause, Cause::OutOfRegion { address, .. } if address == last + 16),
            "{code}"
        );
    }
    assert!(
        run(
            &format!(
                "li a1, {}\nlui a2, 0x40000\nextmulk a2, a2, a1\nli a7, 93\necall",
                last + 8
            ),
            &[]
        )
        .is_ok()
    );
}

#[test]
fn a_store_into_the_text_traps_and_so_does_a_load_from_it() {
    for code in ["sw zero, 0(a1)", "lw a0, 0(a1)", "lbu a0, 3(a1)", "sd a1, 8(a1)"] {
        let trap = trap(&format!("lui a1, 0x10000\n{code}\nnop\nnop"));
        assert!(matches!(
            trap.cause,
            Cause::OutOfRegion {
                region: Region::Text,
                ..
            }
        ));
    }
}

#[test]
fn jumps_out_of_the_program_trap_at_the_jump() {
    let end = TEXT_BASE + 8;
    for (source, target) in [
        ("nop\nj 0x10000008".to_owned(), end),
        ("nop\nbeq zero, zero, 0x0ffffffc".to_owned(), TEXT_BASE - 4),
        ("nop\njalr ra, 2(zero)".to_owned(), 2),
        // Slots of fillers and the halt slot are no part of the program.
        (format!("auipc a0, 0\njalr ra, {}(a0)", 8 + 4 * 3), end + 12),
        (
            format!("auipc a0, 0\njalr ra, {}(a0)", 31 * 4),
            TEXT_BASE + 31 * 4,
        ),
        ("auipc a0, 0\njalr a0, 6(a0)".to_owned(), TEXT_BASE + 6),
    ] {
        let trap = trap(&source);
        assert_eq!(
            (trap.pc, trap.cause),
            (TEXT_BASE + 4, Cause::Jump { target }),
            "{source}"
        );
    }
    assert!(
        run("bne zero, zero, 0x0ffffffc\nli a7, 93\necall", &[]).is_ok(),
        "it is not taken"
    );
}

#[test]
fn execution_past_the_text_traps() {
    let trap = trap("nop\nnop");
    assert_eq!((trap.pc, trap.cycle, trap.cause), (TEXT_BASE + 8, 3, Cause::End));
}

#[test]
fn other_environment_calls_trap() {
    for number in [0, 92, 94, 64, 1 << 32 | 93] {
        assert_eq!(
            trap(&format!("li a7, {number}\necall")).cause,
            Cause::Ecall { number }
        );
    }
}

#[test]
fn a_panic_carries_its_message_and_its_place() {
    let source = format!(
        "
        main: lui a0, 0x40000
        li t0, 0x2173706f6f20
        sd t0, 0(a0)
        addi a0, a0, 1
        li a1, 5
        li t0, 0x73722e61
        sd t0, 15(a0)
        addi a2, a0, 15
        li a3, 4
        li a4, 12
        li a5, 34
        li a7, {PANIC}
        fail: unimp"
    );
    let trap = trap(&source);
    let panic = Panic {
        message: "oops!".to_owned(),
        file: "a.rs".to_owned(),
        line: 12,
        column: 34,
    };
    assert_eq!(trap.cause, Cause::Panic(Box::new(panic)));
    let text = trap.to_string();
    assert!(
        text.contains("fail+0x0") && text.ends_with("the guest panicked at a.rs:12:34: oops!"),
        "{text}"
    );
}

#[test]
fn a_panic_with_wild_pointers_is_reported_all_the_same() {
    let source = format!("li a0, -3\nli a1, -1\nli a2, 1\nlui a3, 0x40000\nli a7, {PANIC}\nunimp");
    assert_eq!(trap(&source).cause, Cause::Panic(Box::default()));
}

#[test]
fn a_trap_names_the_instruction_and_the_nearest_symbol() {
    let trap = trap("main: nop\nf: nop\nnop\nld a0, -8(zero)");
    assert_eq!(trap.instruction, "ld a0, -8(zero)");
    assert_eq!(trap.place.as_ref().unwrap().to_string(), "f+0x8");
    assert_eq!(
        trap.to_string(),
        "trap at 0x1000000c (f+0x8) in cycle 4, `ld a0, -8(zero)`: no memory is at the 8 bytes from \
         0xfffffffffffffff8: no region is there"
    );
}

#[test]
fn the_bound_on_cycles_is_exact() {
    let program = program("li a7, 93\nnop\necall");
    let run = |cycles| rv::run(&program, &[], Limits { cycles }, &mut ());
    assert_eq!(run(3).unwrap().cycles, 3);
    let place = program.symbols().locate(0);
    assert_eq!(
        run(2),
        Err(RunError::CycleLimit {
            cycles: 2,
            pc: TEXT_BASE + 8,
            place
        })
    );
}

#[test]
fn advice_that_does_not_fit_is_refused() {
    let program = program("li a7, 93\necall");
    assert!(rv::run(&program, &[0; 64], Limits::default(), &mut ()).is_ok());
    let result = rv::run(&program, &[0; 65], Limits::default(), &mut ());
    assert_eq!(result, Err(RunError::Advice { words: 65, max: 64 }));
}
