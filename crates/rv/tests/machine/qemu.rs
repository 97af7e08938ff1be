//! The interpreter against QEMU user mode, on random programs.
//!
//! One body, two ends: both store the registers into RAM; then ours exits, and the other writes RAM and advice to
//! its output and exits. QEMU gives a program no advice, so there it is a segment of the file.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use rv::isa::{DEFINITIONS, Format, Instruction, Op};
use rv::program::{ADVICE_BASE, Parts, Program, RAM_BASE, TEXT_BASE, slot_pc};
use rv::{Class, Limits, asm, run};
use test_tools::{output, qemu};

use super::CASES;
use super::directory::directory;
use super::elf_writer::{EXECUTE, Elf, LOAD, READ, Segment, WRITE};
use super::random_program::{RAM_REGISTER, Random, instruction, prologue};

const RAM_WORDS: usize = 256;
const ADVICE_WORDS: usize = 128;
/// The word of RAM from which registers are stored: behind what random accesses reach.
const REGISTERS: usize = 128;
/// Counts the rounds of the body.
const COUNTER: u8 = 28;
const ROUNDS: u64 = 4;
const SLOTS: u64 = 490;

/// Random instructions that neither trap nor jump backwards.
fn body(random: &mut Random) -> Vec<u32> {
    let standard: Vec<_> = DEFINITIONS
        .iter()
        .filter(|d| !matches!(d.class, Class::Hash | Class::Ext) && d.op != Op::Ecall)
        .collect();
    (0..SLOTS)
        .map(|slot| {
            let definition = standard[random.below(standard.len() as u64) as usize];
            let mut instruction = instruction(random, definition, slot, SLOTS);
            if instruction.rd == COUNTER {
                instruction.rd = 7;
            }
            let target = slot + 1 + random.below((SLOTS - slot).min(8));
            match definition.format {
                Format::B | Format::J => instruction.imm = 4 * (target - slot) as i32,
                Format::Offset if definition.op == Op::Jalr => instruction.imm = 4 * target as i32,
                _ => {}
            }
            instruction.encode().expect("the operands fit")
        })
        .collect()
}

/// The words of an assembly text.
fn words(source: &str) -> Vec<u32> {
    asm::assemble(source)
        .unwrap_or_else(|error| panic!("{error}"))
        .words
}

/// The program with one of its ends.
fn text(body: &[u32], end: &str) -> Vec<u32> {
    let start = prologue(slot_pc(0)).len() + 1;
    let mut text = prologue(slot_pc(start));
    text.extend(words(&format!("li x{COUNTER}, {ROUNDS}")));
    assert_eq!(text.len(), start);
    text.extend(body);
    text.extend(words(&format!("addi x{COUNTER}, x{COUNTER}, -1")));
    let imm = -4 * (body.len() as i32 + 1);
    let again = Instruction {
        op: Op::Bne,
        rd: 0,
        rs1: COUNTER,
        rs2: 0,
        imm,
    };
    text.push(again.encode().expect("the body is in reach"));
    for register in 1..32 {
        text.extend(words(&format!(
            "sd x{register}, {}(x{RAM_REGISTER})",
            8 * (REGISTERS + register)
        )));
    }
    text.extend(words(end));
    text
}

#[test]
fn the_interpreter_equals_qemu_on_random_programs() {
    let Some(qemu) = qemu() else { return };
    let directory = directory("qemu-random");
    let mut random = Random::new(5);
    let on_qemu = format!(
        "li a7, 64\nli a0, 1\nlui a1, {:#x}\nli a2, {}\necall\nli a7, 64\nli a0, 1\nlui a1, {:#x}\nli a2, {}\n\
         ecall\nli a7, 93\nli a0, 0\necall",
        RAM_BASE >> 12,
        8 * RAM_WORDS,
        ADVICE_BASE >> 12,
        8 * ADVICE_WORDS,
    );
    for case in 0..CASES / 8 {
        let body = body(&mut random);
        let advice: Vec<u64> = (0..ADVICE_WORDS).map(|_| random.operand()).collect();
        let ram: Vec<u64> = (0..RAM_WORDS).map(|_| random.operand()).collect();

        let image = ram
            .iter()
            .zip(0..)
            .filter(|(word, _)| **word != 0)
            .map(|(&word, i)| (i, word))
            .collect();
        let parts = Parts {
            text: text(&body, "li a7, 93\necall"),
            entry: TEXT_BASE,
            log_ram: RAM_WORDS.ilog2(),
            log_advice: ADVICE_WORDS.ilog2(),
            image,
            ..Parts::default()
        };
        let program = Program::new(parts).unwrap();
        let ours =
            run(&program, &advice, Limits::default(), &mut ()).unwrap_or_else(|error| panic!("{error}"));
        assert!(ours.cycles > 100 * ROUNDS);
        let state = ours.state.ram.iter().chain(&ours.state.advice);
        let ours: Vec<u8> = state.flat_map(|word| word.to_le_bytes()).collect();

        let bytes = |words: &[u64]| {
            words
                .iter()
                .flat_map(|word| word.to_le_bytes())
                .collect::<Vec<_>>()
        };
        let segment = |flags, address, bytes: Vec<u8>| Segment {
            kind: LOAD,
            flags,
            address,
            memory_size: bytes.len() as u64,
            bytes,
        };
        let text: Vec<u8> = text(&body, &on_qemu)
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect();
        let mut elf = Elf::whole(&[], &[], 0, 0);
        elf.alignment = 4096;
        elf.segments = vec![
            segment(READ | EXECUTE, TEXT_BASE, text),
            segment(READ | WRITE, ADVICE_BASE, bytes(&advice)),
            segment(READ | WRITE, RAM_BASE, bytes(&ram)),
        ];
        let path = directory.join(format!("{case}.elf"));
        fs::write(&path, elf.bytes()).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        let theirs = output(Command::new(qemu).arg(&path));
        assert_eq!(ours.len(), theirs.len(), "{}", path.display());
        for (at, (ours, theirs)) in ours.chunks(8).zip(theirs.chunks(8)).enumerate() {
            assert_eq!(ours, theirs, "word {at} of {}", path.display());
        }
        fs::remove_file(&path).unwrap();
    }
}
