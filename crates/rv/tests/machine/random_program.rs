//! Random programs whose memory accesses and jumps mostly make sense.

use rv::Program;
use rv::interpreter::EXIT;
use rv::isa::{DEFINITIONS, Definition, Format, Instruction, Op};
use rv::program::{ADVICE_BASE, Parts, RAM_BASE, TEXT_BASE, slot_pc};

/// A generator of pseudo-random words (xorshift64*, Vigna 2016).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn word(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.word()) * u128::from(bound)) >> 64) as u64
    }

    /// One time in `n`.
    pub(crate) fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// A word of any length, with edges, runs and single bits as likely as noise.
    pub(crate) fn operand(&mut self) -> u64 {
        let word = self.word();
        let shift = self.below(64);
        match self.below(8) {
            0 => [0, 1, 2, u64::MAX, 1 << 63, i64::MAX as u64, 1 << 31, 0xffff_ffff][shift as usize % 8],
            1 => 1 << shift,
            2 => u64::MAX << shift,
            3 => (word as i32 as u64) >> (shift % 32),
            4 => word >> shift,
            5 => (word as i64 >> shift) as u64,
            6 => i64::from(word as i16) as u64,
            _ => word,
        }
    }
}

/// The register that holds the base of RAM, that of advice, and an address of the text.
pub(crate) const RAM_REGISTER: u8 = 30;
pub(crate) const ADVICE_REGISTER: u8 = 31;
const TEXT_REGISTER: u8 = 29;

/// A random instruction at `slot` of a body of `slots`.
pub(crate) fn instruction(
    random: &mut Random,
    definition: &Definition,
    slot: u64,
    slots: u64,
) -> Instruction {
    let r = |random: &mut Random| random.below(32) as u8;
    let (rd, rs1, rs2) = (random.below(29) as u8, r(random), r(random));
    let pointer = [RAM_REGISTER, ADVICE_REGISTER][random.below(2) as usize];
    let aligned = |random: &mut Random, width: i32| {
        let offset = random.below(64) as i32 * 8 + random.below(8) as i32;
        offset / width * width
    };
    let short = random.word() as i32 >> 20;
    let target = 4 * (random.below(slots) as i32 - slot as i32);
    let zero = Instruction {
        op: definition.op,
        rd: 0,
        rs1: 0,
        rs2: 0,
        imm: 0,
    };
    match definition.format {
        Format::R => Instruction { rd, rs1, rs2, ..zero },
        Format::I => Instruction {
            rd,
            rs1,
            imm: short,
            ..zero
        },
        Format::Shift6 => Instruction {
            rd,
            rs1,
            imm: short & 63,
            ..zero
        },
        Format::Shift5 => Instruction {
            rd,
            rs1,
            imm: short & 31,
            ..zero
        },
        Format::Offset if definition.op == Op::Jalr => Instruction {
            rd,
            rs1: TEXT_REGISTER,
            imm: random.below(slots.min(500)) as i32 * 4,
            ..zero
        },
        Format::Offset => {
            let width = 1 << (definition.pattern >> 12 & 3);
            Instruction {
                rd,
                rs1: pointer,
                imm: aligned(random, width),
                ..zero
            }
        }
        Format::S => {
            let width = 1 << (definition.pattern >> 12 & 3);
            Instruction {
                rs1: pointer,
                rs2,
                imm: aligned(random, width),
                ..zero
            }
        }
        Format::B => Instruction {
            rs1,
            rs2,
            imm: target.clamp(-4096, 4092),
            ..zero
        },
        Format::U => Instruction {
            rd,
            imm: random.word() as i32 & !0xfff,
            ..zero
        },
        Format::J => Instruction {
            rd,
            imm: target,
            ..zero
        },
        Format::Fence | Format::Fixed => zero,
        Format::Block => Instruction {
            rs1: pointer,
            rs2,
            ..zero
        },
        Format::Addresses => {
            let r = |random: &mut Random| [ADVICE_REGISTER, RAM_REGISTER][random.below(2) as usize];
            Instruction {
                rd: r(random),
                rs1: r(random),
                rs2: r(random),
                ..zero
            }
        }
    }
}

/// Words that set x1 to x28 from the advice, and the pointers.
pub(crate) fn prologue(body: u64) -> Vec<u32> {
    let mut words = Vec::new();
    let lui = |rd, imm: u64| Instruction {
        op: Op::Lui,
        rd,
        rs1: 0,
        rs2: 0,
        imm: imm as i32,
    };
    words.push(lui(RAM_REGISTER, RAM_BASE));
    words.push(lui(ADVICE_REGISTER, ADVICE_BASE));
    words.push(lui(TEXT_REGISTER, TEXT_BASE));
    let imm = (body - TEXT_BASE) as i32;
    words.push(Instruction {
        op: Op::Addi,
        rd: TEXT_REGISTER,
        rs1: TEXT_REGISTER,
        rs2: 0,
        imm,
    });
    for rd in 1..TEXT_REGISTER {
        let imm = 8 * i32::from(rd);
        words.push(Instruction {
            op: Op::Ld,
            rd,
            rs1: ADVICE_REGISTER,
            rs2: 0,
            imm,
        });
    }
    words
        .iter()
        .map(|i| i.encode().expect("the operands fit"))
        .collect()
}

/// A program of `slots` random instructions, a few of them random words, and its advice.
pub(crate) fn wild(random: &mut Random, slots: u64) -> (Program, Vec<u64>) {
    let mut text = prologue(slot_pc(32));
    for slot in 0..slots {
        let definition = &DEFINITIONS[random.below(DEFINITIONS.len() as u64) as usize];
        let mut instruction = instruction(random, definition, slot, slots);
        if definition.op == Op::Ecall && !random.one_in(6) {
            instruction.op = Op::Fence;
        }
        // The number of the environment call stays the exit's in most programs.
        if instruction.rd == 17 && !random.one_in(100) {
            instruction.rd = 18;
        }
        if random.one_in(500) {
            instruction.imm = random.word() as i32 >> 20;
        }
        if random.one_in(500) {
            instruction.rs1 = random.below(32) as u8;
        }
        let word = instruction.encode().unwrap_or_else(|| random.word() as u32);
        text.push(if random.one_in(2000) {
            random.word() as u32
        } else {
            word
        });
    }
    let mut advice: Vec<u64> = (0..64).map(|_| random.operand()).collect();
    advice[17] = EXIT;
    let image = (0..128)
        .map(|index| (index, random.operand()))
        .filter(|&(_, word)| word != 0)
        .collect();
    let parts = Parts {
        text,
        entry: TEXT_BASE,
        log_ram: 7,
        log_advice: 6,
        image,
        ..Parts::default()
    };
    (Program::new(parts).expect("the parts make a program"), advice)
}
