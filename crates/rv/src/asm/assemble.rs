//! Text to words.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use thiserror::Error;

use crate::isa::{DEFINITIONS, Format, Instruction, Op, REGISTER_NAMES};
use crate::program::slot_pc;
use crate::symbols::{Symbol, Symbols};
use crate::trap::Illegal;

/// An assembled text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assembly {
    /// The words from [`crate::program::TEXT_BASE`] on.
    pub words: Vec<u32>,
    /// The labels' addresses.
    pub labels: BTreeMap<String, u64>,
}

impl Assembly {
    /// The labels as symbols.
    #[must_use]
    pub fn symbols(&self) -> Symbols {
        let symbol = |(name, &address): (&String, &u64)| Symbol {
            address,
            size: 0,
            name: name.clone(),
        };
        Symbols::new(self.labels.iter().map(symbol).collect())
    }
}

/// A line that cannot be assembled.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}, `{text}`: {fault}")]
pub struct AssembleError {
    /// The line, counted from 1.
    pub line: usize,
    /// Its text.
    pub text: String,
    /// What is wrong with it.
    pub fault: LineFault,
}

/// What is wrong with a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum LineFault {
    /// The first word is no mnemonic.
    #[error("no such instruction")]
    Mnemonic,
    /// Too many operands, or too few.
    #[error("{given} operands, and {expected} are expected")]
    Operands {
        /// How many stand in the line.
        given: usize,
        /// How many the instruction has.
        expected: usize,
    },
    /// An operand is no register.
    #[error("operand {0} is no register")]
    Register(usize),
    /// An operand is no number and no label.
    #[error("operand {0} is no number and no label")]
    Value(usize),
    /// A label is defined twice.
    #[error("the label is defined twice")]
    Label,
    /// An operand does not fit its field.
    #[error("an operand does not fit its field")]
    Range,
}

/// An instruction of the text, its operands not yet read.
struct Line<'a> {
    number: usize,
    text: &'a str,
    mnemonic: &'a str,
    operands: Vec<&'a str>,
    /// The slot of its first word.
    slot: usize,
}

/// Assembles a text; see the module's description for its form.
///
/// # Errors
/// The first line that is none.
pub fn assemble(source: &str) -> Result<Assembly, AssembleError> {
    let mut labels = BTreeMap::new();
    let mut lines = Vec::new();
    let mut slot = 0;
    for (text, number) in source.lines().zip(1..) {
        let fail = |fault| AssembleError {
            line: number,
            text: text.trim().to_owned(),
            fault,
        };
        let mut rest = text.split('#').next().unwrap_or_default().trim();
        while let Some((label, after)) = rest.split_once(':') {
            if labels.insert(label.trim().to_owned(), slot_pc(slot)).is_some() {
                return Err(fail(LineFault::Label));
            }
            rest = after.trim();
        }
        if rest.is_empty() {
            continue;
        }
        let (mnemonic, operands) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let operands = if operands.trim().is_empty() {
            Vec::new()
        } else {
            operands.split(',').map(str::trim).collect()
        };
        let line = Line {
            number,
            text: text.trim(),
            mnemonic,
            operands,
            slot,
        };
        slot += line.length();
        lines.push(line);
    }
    let mut words = Vec::with_capacity(slot);
    for line in &lines {
        let encoded = line.words(&labels).map_err(|fault| AssembleError {
            line: line.number,
            text: line.text.to_owned(),
            fault,
        })?;
        words.extend(encoded);
    }
    Ok(Assembly { words, labels })
}

impl Line<'_> {
    /// The number of words of this line.
    fn length(&self) -> usize {
        match (self.mnemonic, &self.operands[..]) {
            ("la", _) => 2,
            ("li", [_, value]) => number(value).map_or(1, |value| constant(0, value).len()),
            _ => 1,
        }
    }

    /// The words of this line.
    fn words(&self, labels: &BTreeMap<String, u64>) -> Result<Vec<u32>, LineFault> {
        match self.mnemonic {
            ".word" => {
                self.expect(1)?;
                let word = u32::try_from(self.value(0, labels)?).map_err(|_| LineFault::Range)?;
                Ok(vec![word])
            }
            "unimp" => Ok(vec![Illegal::UNIMP]),
            "ebreak" => Ok(vec![0x0010_0073]),
            _ => self
                .instructions(labels)?
                .iter()
                .map(|i| i.encode().ok_or(LineFault::Range))
                .collect(),
        }
    }

    /// The instructions of this line.
    fn instructions(&self, labels: &BTreeMap<String, u64>) -> Result<Vec<Instruction>, LineFault> {
        let zero = Instruction {
            op: Op::Addi,
            rd: 0,
            rs1: 0,
            rs2: 0,
            imm: 0,
        };
        let r = |n| self.register(n);
        let two = |op, rd, rs1, rs2| {
            vec![Instruction {
                op,
                rd,
                rs1,
                rs2,
                imm: 0,
            }]
        };
        let one = |op, rd, rs1, imm| {
            vec![Instruction {
                op,
                rd,
                rs1,
                rs2: 0,
                imm,
            }]
        };
        let branch = |op, rs1, rs2, n| {
            Ok(vec![Instruction {
                op,
                rd: 0,
                rs1,
                rs2,
                imm: self.distance(n, labels)?,
            }])
        };
        let jump = |rd, n| {
            Ok(vec![Instruction {
                op: Op::Jal,
                rd,
                imm: self.distance(n, labels)?,
                ..zero
            }])
        };
        let operands = match self.mnemonic {
            "nop" | "ret" => 0,
            "j" | "jr" | "call" | "tail" => 1,
            "li" | "la" | "mv" | "not" | "neg" | "negw" | "sext.w" | "seqz" | "snez" | "beqz" | "bnez"
            | "blez" | "bgez" | "bltz" | "bgtz" => 2,
            "bgt" | "ble" | "bgtu" | "bleu" => 3,
            _ => return self.listed(labels).map(|instruction| vec![instruction]),
        };
        self.expect(operands)?;
        Ok(match self.mnemonic {
            "nop" => vec![zero],
            "ret" => one(Op::Jalr, 0, 1, 0),
            "j" | "tail" => return jump(0, 0),
            "call" => return jump(1, 0),
            "jr" => one(Op::Jalr, 0, r(0)?, 0),
            // A label's address has `la`, whose length does not depend on it.
            "li" => constant(r(0)?, number(self.operands[1]).ok_or(LineFault::Value(1))?),
            "la" => {
                let address = self.value(1, labels)?;
                let low = address << 52 >> 52;
                let high = i32::try_from(address - low).map_err(|_| LineFault::Range)?;
                let rd = r(0)?;
                vec![
                    Instruction {
                        op: Op::Lui,
                        rd,
                        imm: high,
                        ..zero
                    },
                    Instruction {
                        op: Op::Addi,
                        rd,
                        rs1: rd,
                        imm: low as i32,
                        ..zero
                    },
                ]
            }
            "mv" => one(Op::Addi, r(0)?, r(1)?, 0),
            "not" => one(Op::Xori, r(0)?, r(1)?, -1),
            "neg" => two(Op::Sub, r(0)?, 0, r(1)?),
            "negw" => two(Op::Subw, r(0)?, 0, r(1)?),
            "sext.w" => one(Op::Addiw, r(0)?, r(1)?, 0),
            "seqz" => one(Op::Sltiu, r(0)?, r(1)?, 1),
            "snez" => two(Op::Sltu, r(0)?, 0, r(1)?),
            "beqz" => return branch(Op::Beq, r(0)?, 0, 1),
            "bnez" => return branch(Op::Bne, r(0)?, 0, 1),
            "blez" => return branch(Op::Bge, 0, r(0)?, 1),
            "bgez" => return branch(Op::Bge, r(0)?, 0, 1),
            "bltz" => return branch(Op::Blt, r(0)?, 0, 1),
            "bgtz" => return branch(Op::Blt, 0, r(0)?, 1),
            "bgt" => return branch(Op::Blt, r(1)?, r(0)?, 2),
            "ble" => return branch(Op::Bge, r(1)?, r(0)?, 2),
            "bgtu" => return branch(Op::Bltu, r(1)?, r(0)?, 2),
            _ => return branch(Op::Bgeu, r(1)?, r(0)?, 2),
        })
    }

    /// The instruction of the list that this line names.
    fn listed(&self, labels: &BTreeMap<String, u64>) -> Result<Instruction, LineFault> {
        let definition = DEFINITIONS
            .iter()
            .find(|d| d.mnemonic == self.mnemonic)
            .ok_or(LineFault::Mnemonic)?;
        let at = |rd, rs1, rs2, imm| Instruction {
            op: definition.op,
            rd,
            rs1,
            rs2,
            imm,
        };
        let r = |n| self.register(n);
        let small = |n| {
            self.value(n, labels)
                .and_then(|v| i32::try_from(v).map_err(|_| LineFault::Range))
        };
        let count = match definition.format {
            Format::Fence | Format::Fixed => 0,
            Format::R | Format::Addresses | Format::I | Format::Shift6 | Format::Shift5 | Format::B => 3,
            _ => 2,
        };
        self.expect(count)?;
        Ok(match definition.format {
            Format::R | Format::Addresses => at(r(0)?, r(1)?, r(2)?, 0),
            Format::I | Format::Shift6 | Format::Shift5 => at(r(0)?, r(1)?, 0, small(2)?),
            Format::Offset => {
                let (base, offset) = self.address(1, labels)?;
                at(r(0)?, base, 0, offset)
            }
            Format::S => {
                let (base, offset) = self.address(1, labels)?;
                at(0, base, r(0)?, offset)
            }
            Format::B => at(0, r(0)?, r(1)?, self.distance(2, labels)?),
            Format::U => {
                let upper = u32::try_from(self.value(1, labels)?).map_err(|_| LineFault::Range)?;
                let upper = if upper < 1 << 20 {
                    upper << 12
                } else {
                    return Err(LineFault::Range);
                };
                at(r(0)?, 0, 0, upper.cast_signed())
            }
            Format::J => at(r(0)?, 0, 0, self.distance(1, labels)?),
            Format::Block => at(0, r(0)?, r(1)?, 0),
            Format::Fence | Format::Fixed => at(0, 0, 0, 0),
        })
    }

    fn expect(&self, expected: usize) -> Result<(), LineFault> {
        let given = self.operands.len();
        if given == expected {
            Ok(())
        } else {
            Err(LineFault::Operands { given, expected })
        }
    }

    /// Operand `n` as a register's number.
    fn register(&self, n: usize) -> Result<u8, LineFault> {
        register(self.operands[n]).ok_or(LineFault::Register(n))
    }

    /// Operand `n` as a number or a label's address.
    fn value(&self, n: usize, labels: &BTreeMap<String, u64>) -> Result<i64, LineFault> {
        let text = self.operands[n];
        labels
            .get(text)
            .map(|a| a.cast_signed())
            .or_else(|| number(text))
            .ok_or(LineFault::Value(n))
    }

    /// The offset from this line to the address that operand `n` names.
    fn distance(&self, n: usize, labels: &BTreeMap<String, u64>) -> Result<i32, LineFault> {
        let target = self.value(n, labels)?.cast_unsigned();
        let offset = target.wrapping_sub(slot_pc(self.slot)).cast_signed();
        i32::try_from(offset).map_err(|_| LineFault::Range)
    }

    /// Operand `n`, `offset(register)`, as the register and the offset.
    fn address(&self, n: usize, labels: &BTreeMap<String, u64>) -> Result<(u8, i32), LineFault> {
        let (offset, rest) = self.operands[n].split_once('(').ok_or(LineFault::Value(n))?;
        let base = rest.strip_suffix(')').and_then(|name| register(name.trim()));
        let offset = match offset.trim() {
            "" => 0,
            text => labels
                .get(text)
                .map(|a| a.cast_signed())
                .or_else(|| number(text))
                .and_then(|value| i32::try_from(value).ok())
                .ok_or(LineFault::Value(n))?,
        };
        Ok((base.ok_or(LineFault::Register(n))?, offset))
    }
}

/// A register's number from its name.
fn register(name: &str) -> Option<u8> {
    let by_name = || REGISTER_NAMES.iter().position(|&known| known == name);
    let number = match name.strip_prefix('x').and_then(|digits| digits.parse().ok()) {
        Some(number) => number,
        None if name == "fp" => 8,
        None => by_name()?,
    };
    u8::try_from(number).ok().filter(|&number| number < 32)
}

/// A number in text; from 2^63 on it is taken modulo 2^64.
fn number(text: &str) -> Option<i64> {
    let (negative, digits) = text
        .strip_prefix('-')
        .map_or((false, text), |digits| (true, digits));
    let magnitude = match digits.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some(
        if negative {
            magnitude.wrapping_neg()
        } else {
            magnitude
        }
        .cast_signed(),
    )
}

/// Instructions that put `value` into `rd`: `lui` and `addiw` for 32 bits, and for more the upper part first,
/// then a shift and the low 12 bits.
fn constant(rd: u8, value: i64) -> Vec<Instruction> {
    let at = |op, rs1, imm| Instruction {
        op,
        rd,
        rs1,
        rs2: 0,
        imm,
    };
    let low = value << 52 >> 52;
    if value == low {
        return vec![at(Op::Addi, 0, low as i32)];
    }
    if i32::try_from(value).is_ok() {
        // The sum may leave 32 bits, and `addiw` takes it back.
        let mut instructions = vec![at(Op::Lui, 0, (value - low) as i32)];
        if low != 0 {
            instructions.push(at(Op::Addiw, rd, low as i32));
        }
        return instructions;
    }
    let high = value.wrapping_sub(low);
    let zeros = high.trailing_zeros();
    let mut instructions = constant(rd, high >> zeros);
    instructions.push(at(Op::Slli, rd, zeros as i32));
    if low != 0 {
        instructions.push(at(Op::Addi, rd, low as i32));
    }
    instructions
}
