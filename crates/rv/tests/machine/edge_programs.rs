//! Programs that meet the edge cases of instructions, and what they leave by the RISC-V specification.
//!
//! The tests of the interpreter run them, and those of the tables prove that they run so.

use primitives::blake2s;
use primitives::field::E;
use rv::program::{Parts, RAM_BASE, TEXT_BASE};
use rv::{Program, Run, asm};

/// A program that meets an edge case.
pub(crate) struct Edge {
    /// What it is, for messages.
    pub(crate) name: String,
    pub(crate) program: Program,
    pub(crate) advice: Vec<u64>,
    /// What it leaves.
    pub(crate) left: Vec<(Place, u64)>,
}

/// Where a program leaves a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// The word of the output.
    Output(usize),
    /// The word of RAM.
    Ram(usize),
    /// The word of the advice.
    Advice(usize),
}

impl Place {
    /// What a run left there.
    pub(crate) fn of(self, run: &Run) -> u64 {
        match self {
            Self::Output(i) => run.output[i],
            Self::Ram(i) => run.state.ram[i],
            Self::Advice(i) => run.state.advice[i],
        }
    }
}

/// All of them.
pub(crate) fn all() -> Vec<Edge> {
    [
        division_by_zero(),
        overflows_of_division(),
        high_halves(),
        shifts(),
        word_forms(),
        comparisons(),
        loads_and_stores(),
        writes_to_x0(),
        links(),
        farthest_branches(),
        writes_to_the_advice(),
        blocks(),
        aliases(),
        fences(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// RAM of 2^10 words with `image` at its start, advice of 2^6 words.
fn edge(source: &str, image: &[u64], advice: &[u64], left: Vec<(Place, u64)>) -> Edge {
    let assembly = asm::assemble(source).unwrap_or_else(|error| panic!("{error}: {source}"));
    let symbols = assembly.symbols();
    let parts = Parts {
        text: assembly.words,
        entry: TEXT_BASE,
        log_ram: 10,
        log_advice: 6,
        image: (0..).zip(image.iter().copied()).collect(),
        symbols,
    };
    Edge {
        name: source.into(),
        program: Program::new(parts).unwrap_or_else(|error| panic!("{error}: {source}")),
        advice: advice.into(),
        left,
    }
}

/// `code`, with a1 and a2 set, leaves `expected` in a0.
fn value(code: &str, a1: u64, a2: u64, expected: u64) -> Edge {
    let source = format!("li a1, {a1}\nli a2, {a2}\n{code}\nli a7, 93\necall");
    edge(&source, &[], &[], vec![(Place::Output(0), expected)])
}

/// As [`value`], of an instruction on a1 and a2, by its name.
fn operation(name: &str, a1: u64, a2: u64, expected: u64) -> Edge {
    value(&format!("{name} a0, a1, a2"), a1, a2, expected)
}

/// Words from one on.
fn words(place: fn(usize) -> Place, start: usize, words: &[u64]) -> Vec<(Place, u64)> {
    (start..).map(place).zip(words.iter().copied()).collect()
}

/// A 32-bit value in a register.
fn word(value: i32) -> u64 {
    i64::from(value) as u64
}

const MIN: u64 = 1 << 63;
const ONES: u64 = u64::MAX;

/// Quotients are all ones, remainders the dividend.
pub(crate) fn division_by_zero() -> Vec<Edge> {
    let mut edges = Vec::new();
    for a in [0, 1, MIN, ONES, 12345, 0xffff_ffff_0000_0000] {
        for (name, expected) in [("div", ONES), ("divu", ONES), ("rem", a), ("remu", a)] {
            edges.push(operation(name, a, 0, expected));
        }
        // The divisor's upper half is ignored.
        for b in [0, 1 << 32, ONES << 32] {
            let remainder = word(a as i32);
            for (name, expected) in [
                ("divw", ONES),
                ("divuw", ONES),
                ("remw", remainder),
                ("remuw", remainder),
            ] {
                edges.push(operation(name, a, b, expected));
            }
        }
    }
    edges
}

/// The least number by minus one gives itself and the remainder zero; and other signs.
pub(crate) fn overflows_of_division() -> Vec<Edge> {
    let minus = u64::wrapping_neg;
    let least = word(i32::MIN);
    [
        ("div", MIN, ONES, MIN),
        ("rem", MIN, ONES, 0),
        ("divw", least, ONES, least),
        ("remw", least, ONES, 0),
        ("divw", 1 << 31, 0xffff_ffff, least),
        ("remw", 1 << 31, 0xffff_ffff, 0),
        ("div", minus(7), 2, minus(3)),
        ("rem", minus(7), 2, ONES),
        ("rem", 7, minus(2), 1),
        ("divuw", ONES, 1, ONES),
        ("remuw", 1 << 31, 0xffff_ffff, least),
    ]
    .map(|(name, a, b, expected)| operation(name, a, b, expected))
    .into()
}

pub(crate) fn high_halves() -> Vec<Edge> {
    [
        ("mulh", MIN, MIN, 1 << 62),
        ("mulh", ONES, ONES, 0),
        ("mulhu", ONES, ONES, ONES - 1),
        ("mulhsu", ONES, ONES, ONES),
        ("mulhsu", MIN, ONES, MIN),
        ("mulhsu", 1, ONES, 0),
        ("mulw", 0x10000, 0x8000, word(i32::MIN)),
    ]
    .map(|(name, a, b, expected)| operation(name, a, b, expected))
    .into()
}

/// By zero, by the width less one, and by amounts in a register, which count modulo the width.
pub(crate) fn shifts() -> Vec<Edge> {
    type Shift = fn(u64, u64) -> u64;
    let shifts: [(&str, u64, Shift); 6] = [
        ("sll", 64, |a, by| a << by),
        ("srl", 64, |a, by| a >> by),
        ("sra", 64, |a, by| (a as i64 >> by) as u64),
        ("sllw", 32, |a, by| word((a as i32) << by)),
        ("srlw", 32, |a, by| word((a as u32 >> by) as i32)),
        ("sraw", 32, |a, by| word(a as i32 >> by)),
    ];
    let a = 0x8000_0001_8000_0001;
    let mut edges = Vec::new();
    for (name, width, shift) in shifts {
        let immediate = match name.strip_suffix('w') {
            Some(stem) => format!("{stem}iw"),
            None => format!("{name}i"),
        };
        for by in [0, 1, width - 1] {
            let expected = shift(a, by);
            edges.push(value(&format!("{immediate} a0, a1, {by}"), a, 0, expected));
            for turns in [0, width, 7 * width, 1 << 32, MIN] {
                edges.push(operation(name, a, by + turns, expected));
            }
        }
    }
    edges
}

/// The upper half of a result is its sign.
pub(crate) fn word_forms() -> Vec<Edge> {
    [
        ("addw a0, a1, a2", 0x7fff_ffff, 1, word(i32::MIN)),
        ("subw a0, a1, a2", word(i32::MIN), 1, 0x7fff_ffff),
        ("addiw a0, a1, -1", 0x1_0000_0000, 0, ONES),
        ("addiw a0, a1, 0", 0xdead_beef, 0, word(0xdead_beef_u32 as i32)),
        ("sraiw a0, a1, 4", 0x8000_0000, 0, word(-0x800_0000)),
        ("srliw a0, a1, 4", ONES, 0, 0x0fff_ffff),
        ("sllw a0, a1, a2", 1, 31, word(i32::MIN)),
        ("lui a0, 0x80000", 0, 0, word(i32::MIN)),
    ]
    .map(|(code, a1, a2, expected)| value(code, a1, a2, expected))
    .into()
}

/// Immediates are extended by their sign and then compared, as unsigned ones too.
pub(crate) fn comparisons() -> Vec<Edge> {
    [
        ("sltiu a0, a1, -1", ONES - 1, 1),
        ("sltiu a0, a1, -1", ONES, 0),
        ("slti a0, a1, -1", MIN, 1),
        ("slti a0, a1, 0", ONES, 1),
        ("sltiu a0, a1, 1", 0, 1),
    ]
    .map(|(code, a1, expected)| value(code, a1, 0, expected))
    .into()
}

/// Loads of every width and sign, stores that keep the neighbours.
pub(crate) fn loads_and_stores() -> Vec<Edge> {
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
    let extended = [
        0xffff_ffff_ffff_ff85,
        0x85,
        0xffff_ffff_ffff_8182,
        0x8182,
        0xffff_ffff_8182_8384,
        0x8182_8384,
    ];
    let mut left = words(Place::Ram, 1, &extended);
    left.push((Place::Output(0), 0x8182_0000_8586_0088));
    [edge(source, &[], &[], left)].into()
}

/// x0 stays zero.
pub(crate) fn writes_to_x0() -> Vec<Edge> {
    [
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
    ]
    .map(|code| {
        let source = format!("li a1, 7\nli a2, 3\n{code}\nadd a0, zero, zero\nli a7, 93\necall");
        // The loads have something to load.
        edge(
            &source,
            &[0x0102_0304_0506_0708],
            &[],
            vec![(Place::Output(0), 0)],
        )
    })
    .into()
}

/// A jump whose base is the register of its link, and whose target has the lowest bit set.
pub(crate) fn links() -> Vec<Edge> {
    let source = "
            la a1, there
            jalr a1, 1(a1)       # the lowest bit of the target is cleared
    here:   li a0, 1
            li a7, 93
            ecall
    there:  mv a2, a1
            li a7, 93
            ecall";
    // The link is the address after the jump.
    let left = vec![(Place::Output(0), 0), (Place::Output(2), 0x1000_000c)];
    [edge(source, &[], &[], left)].into()
}

/// The first branch, in slot 3, goes to 3 + 1023; the last, in slot 1028, to 1028 - 1024.
pub(crate) fn farthest_branches() -> Vec<Edge> {
    let source = format!(
        "j start\nback: li a7, 93\necall\nstart: beq zero, zero, far\nmiddle: j back\n{}\
         far: li a0, 9\nnop\nbeq zero, zero, middle",
        "unimp\n".repeat(1021)
    );
    [edge(&source, &[], &[], vec![(Place::Output(0), 9)])].into()
}

pub(crate) fn writes_to_the_advice() -> Vec<Edge> {
    let source = "
        lui a1, 0x20000
        ld a0, 8(a1)
        sd a0, 16(a1)
        ld a1, 16(a1)
        li a7, 93
        ecall";
    let mut left = words(Place::Output, 0, &[77, 77]);
    left.extend(words(Place::Advice, 0, &[1, 77, 77, 0]));
    [edge(source, &[], &[1, 77], left)].into()
}

/// The block of a base in the middle of 128 bytes wraps around inside them.
pub(crate) fn blocks() -> Vec<Edge> {
    let source = "
        lui a1, 0x40000
        addi a1, a1, 64
        li a2, 64
        blake2s.final a1, a2
        li a7, 93
        ecall";
    let mut ram = [0; 16];
    ram[12..].copy_from_slice(&blake2s::compress_words(&[0; 4], &[0; 8], 64, true));
    [edge(source, &[], &[], words(Place::Ram, 0, &ram))].into()
}

/// The operands of a product in the extension are one.
pub(crate) fn aliases() -> Vec<Edge> {
    let source = format!(
        "lui a1, {:#x}\nextmul a1, a1, a1\nextmac a1, a1, a1\nextmulk a1, a1, a1\nextmack a1, a1, a1\n\
         li a7, 93\necall",
        RAM_BASE >> 12
    );
    let mut e = E::from_words([3, 5, 7]);
    e = e * e;
    e = e + e * e;
    e = e * e.0[0];
    e = e + e * e.0[0];
    [edge(
        &source,
        &[3, 5, 7],
        &[],
        words(Place::Ram, 0, &e.to_words()),
    )]
    .into()
}

/// With any operands.
pub(crate) fn fences() -> Vec<Edge> {
    [0x0ff0_000f_u32, 0x8330_000f, 0x0100_000f, 0x0000_050f]
        .map(|word| value(&format!("li a0, 3\n.word {word:#x}"), 0, 0, 3))
        .into()
}
