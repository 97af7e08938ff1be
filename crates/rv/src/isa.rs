//! The instructions: one list from which decoder, encoder, assembler, disassembler and tests are made.
//!
//! RV64I and M as in the RISC-V unprivileged specification (chapters "RV64I" and "M", instruction
//! listings), and the custom instructions of `doc/machine.md`.

use crate::class::Class;

/// How the operands of an instruction stand in its word and in assembly text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// R-type: `rd, rs1, rs2`.
    R,
    /// I-type: `rd, rs1, imm`.
    I,
    /// I-type with an address operand: `rd, imm(rs1)`.
    Offset,
    /// I-type shift by 0 to 63: `rd, rs1, shamt`.
    Shift6,
    /// I-type shift by 0 to 31: `rd, rs1, shamt`.
    Shift5,
    /// S-type: `rs2, imm(rs1)`.
    S,
    /// B-type: `rs1, rs2, target`.
    B,
    /// U-type: `rd, imm`, with the immediate's upper 20 bits in text and all 32 in [`Instruction::imm`].
    U,
    /// J-type: `rd, target`.
    J,
    /// No operand; the other bits of the word are ignored, as the specification asks for `fence`.
    Fence,
    /// No operand, every bit fixed.
    Fixed,
    /// R-type without destination: `rs1, rs2`, the field of `rd` being zero.
    Block,
    /// R-type whose three registers hold addresses: `rd, rs1, rs2`, the field of `rd` not being zero.
    Addresses,
}

impl Format {
    /// The bits of the word that the definition fixes.
    #[must_use]
    pub const fn mask(self) -> u32 {
        match self {
            Self::R | Self::Shift5 | Self::Addresses => 0xfe00_707f,
            Self::I | Self::Offset | Self::S | Self::B | Self::Fence => 0x0000_707f,
            Self::Shift6 => 0xfc00_707f,
            Self::U | Self::J => 0x0000_007f,
            Self::Fixed => 0xffff_ffff,
            Self::Block => 0xfe00_7fff,
        }
    }
}

/// What the list says of an instruction.
#[derive(Clone, Copy, Debug)]
pub struct Definition {
    /// The instruction.
    pub op: Op,
    /// Its name in assembly text.
    pub mnemonic: &'static str,
    /// How its operands are laid out.
    pub format: Format,
    /// The word with all operand bits zero.
    pub pattern: u32,
    /// The class that its entry belongs to, unless the decoder folds it (a shift by zero).
    pub class: Class,
    /// Flags of the instruction that its entry carries in the immediate field; see [`crate::entry`].
    pub flags: u64,
    /// Constants and selectors of its entry.
    pub constants: [u64; 3],
}

/// Makes [`Op`] and [`DEFINITIONS`] from the list. A line is: name, mnemonic, format, the opcode and the
/// `funct3` and `funct7` that the format has, class, flags of the immediate, constants and selectors.
macro_rules! instructions {
    ($($op:ident $mnemonic:literal $format:ident($($field:expr),*) $class:ident
        $(flags $flags:expr,)? $([$($constant:expr),*])?;)*) => {
        /// An instruction of the machine, without its operands.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        pub enum Op { $(#[doc = concat!("`", $mnemonic, "`")] $op,)* }

        /// Every instruction, in the order of [`Op`].
        pub const DEFINITIONS: &[Definition] = &[$(Definition {
            op: Op::$op,
            mnemonic: $mnemonic,
            format: Format::$format,
            pattern: pattern(&[$($field),*]),
            class: Class::$class,
            flags: 0 $(+ $flags)?,
            constants: pad(&[$($($constant),*)?]),
        },)*];
    };
}

/// All ones: the mask of an entry that subtracts.
const ONES: u64 = u64::MAX;

instructions! {
    // Mnemonic and encoding                 Class    Immediate's flags and constants
    Lui    "lui"    U(0x37)                  Addi;
    Auipc  "auipc"  U(0x17)                  Addi;
    Jal    "jal"    J(0x6f)                  Jump;
    Jalr   "jalr"   Offset(0x67, 0)          Jump;
    // EQ: [negate].
    Beq    "beq"    B(0x63, 0)               Eq     [0];
    Bne    "bne"    B(0x63, 1)               Eq     [1];
    // LT: [signed, negate].
    Blt    "blt"    B(0x63, 4)               Lt     [1, 0];
    Bge    "bge"    B(0x63, 5)               Lt     [1, 1];
    Bltu   "bltu"   B(0x63, 6)               Lt     [0, 0];
    Bgeu   "bgeu"   B(0x63, 7)               Lt     [0, 1];
    // LOAD: wide, word, signed. STORE: wide, word.
    Lb     "lb"     Offset(0x03, 0)          Load   flags SIGNED,;
    Lh     "lh"     Offset(0x03, 1)          Load   flags WIDE + SIGNED,;
    Lw     "lw"     Offset(0x03, 2)          Load   flags WIDE + FOUR + SIGNED,;
    Ld     "ld"     Offset(0x03, 3)          Ld;
    Lbu    "lbu"    Offset(0x03, 4)          Load;
    Lhu    "lhu"    Offset(0x03, 5)          Load   flags WIDE,;
    Lwu    "lwu"    Offset(0x03, 6)          Load   flags WIDE + FOUR,;
    Sb     "sb"     S(0x23, 0)               Store;
    Sh     "sh"     S(0x23, 1)               Store  flags WIDE,;
    Sw     "sw"     S(0x23, 2)               Store  flags WIDE + FOUR,;
    Sd     "sd"     S(0x23, 3)               Sd;
    Addi   "addi"   I(0x13, 0)               Addi;
    Slti   "slti"   I(0x13, 2)               Lt     [1, 0];
    Sltiu  "sltiu"  I(0x13, 3)               Lt     [0, 0];
    // LOGIC: [factor of the sum, factor of the conjunction].
    Xori   "xori"   I(0x13, 4)               Logic  [1, 0];
    Ori    "ori"    I(0x13, 6)               Logic  [1, 1];
    Andi   "andi"   I(0x13, 7)               Logic  [0, 1];
    // SHIFTI: the decoder computes the mask and the two factors; [_, _, factor of the rotated word].
    Slli   "slli"   Shift6(0x13, 1, 0x00)    Shifti [0, 0, 1];
    Srli   "srli"   Shift6(0x13, 5, 0x00)    Shifti [0, 0, 0];
    Srai   "srai"   Shift6(0x13, 5, 0x20)    Shift  flags RIGHT + ARITHMETIC,;
    // ADD, WORD: [mask].
    Add    "add"    R(0x33, 0, 0x00)         Add    [0];
    Sub    "sub"    R(0x33, 0, 0x20)         Add    [ONES];
    Sll    "sll"    R(0x33, 1, 0x00)         Shift;
    Slt    "slt"    R(0x33, 2, 0x00)         Lt     [1, 0];
    Sltu   "sltu"   R(0x33, 3, 0x00)         Lt     [0, 0];
    Xor    "xor"    R(0x33, 4, 0x00)         Logic  [1, 0];
    Srl    "srl"    R(0x33, 5, 0x00)         Shift  flags RIGHT,;
    Sra    "sra"    R(0x33, 5, 0x20)         Shift  flags RIGHT + ARITHMETIC,;
    Or     "or"     R(0x33, 6, 0x00)         Logic  [1, 1];
    And    "and"    R(0x33, 7, 0x00)         Logic  [0, 1];
    Addiw  "addiw"  I(0x1b, 0)               Word   [0];
    Slliw  "slliw"  Shift5(0x1b, 1, 0x00)    Shift  flags HALVED,;
    Srliw  "srliw"  Shift5(0x1b, 5, 0x00)    Shift  flags RIGHT + HALVED,;
    Sraiw  "sraiw"  Shift5(0x1b, 5, 0x20)    Shift  flags RIGHT + ARITHMETIC + HALVED,;
    Addw   "addw"   R(0x3b, 0, 0x00)         Word   [0];
    Subw   "subw"   R(0x3b, 0, 0x20)         Word   [ONES];
    Sllw   "sllw"   R(0x3b, 1, 0x00)         Shift  flags HALVED,;
    Srlw   "srlw"   R(0x3b, 5, 0x00)         Shift  flags RIGHT + HALVED,;
    Sraw   "sraw"   R(0x3b, 5, 0x20)         Shift  flags RIGHT + ARITHMETIC + HALVED,;
    Fence  "fence"  Fence(0x0f, 0)           Addi;
    Ecall  "ecall"  Fixed(0x73)              Jump;
    // MUL: word. MULH: first operand signed, second operand signed. DIV: signed, remainder, word.
    Mul    "mul"    R(0x33, 0, 0x01)         Mul;
    Mulh   "mulh"   R(0x33, 1, 0x01)         Mulh   flags 1 + 2,;
    Mulhsu "mulhsu" R(0x33, 2, 0x01)         Mulh   flags 1,;
    Mulhu  "mulhu"  R(0x33, 3, 0x01)         Mulh;
    Div    "div"    R(0x33, 4, 0x01)         Div    flags 1,;
    Divu   "divu"   R(0x33, 5, 0x01)         Div;
    Rem    "rem"    R(0x33, 6, 0x01)         Div    flags 1 + 2,;
    Remu   "remu"   R(0x33, 7, 0x01)         Div    flags 2,;
    Mulw   "mulw"   R(0x3b, 0, 0x01)         Mul    flags 1,;
    Divw   "divw"   R(0x3b, 4, 0x01)         Div    flags 1 + 4,;
    Divuw  "divuw"  R(0x3b, 5, 0x01)         Div    flags 4,;
    Remw   "remw"   R(0x3b, 6, 0x01)         Div    flags 1 + 2 + 4,;
    Remuw  "remuw"  R(0x3b, 7, 0x01)         Div    flags 2 + 4,;
    // HASH: the word f0 of RFC 7693, all ones in the final block.
    Blake2s      "blake2s"       Block(0x0b, 0, 0x00)     Hash;
    Blake2sFinal "blake2s.final" Block(0x0b, 1, 0x00)     Hash   flags 0xffff_ffff,;
    // EXT: accumulate, second operand in K.
    Extmul       "extmul"        Addresses(0x2b, 0, 0x00) Ext;
    Extmac       "extmac"        Addresses(0x2b, 1, 0x00) Ext    flags 1,;
    Extmulk      "extmulk"       Addresses(0x2b, 2, 0x00) Ext    flags 2,;
    Extmack      "extmack"       Addresses(0x2b, 3, 0x00) Ext    flags 1 + 2,;
}

/// LOAD, STORE: the access is of two bytes or more.
pub const WIDE: u64 = 1 << 12;
/// LOAD, STORE: the access is of four bytes.
pub const FOUR: u64 = 1 << 13;
/// LOAD: the value is sign-extended.
pub const SIGNED: u64 = 1 << 14;
/// SHIFT: to the right.
pub const RIGHT: u64 = 1 << 6;
/// SHIFT: the sign moves in; with [`RIGHT`] only.
pub const ARITHMETIC: u64 = 1 << 7;
/// SHIFT: of the low 32 bits, the result sign-extended.
pub const HALVED: u64 = 1 << 8;

/// The word of `[opcode, funct3, funct7]`, missing fields being zero.
const fn pattern(fields: &[u32]) -> u32 {
    let shifts = [0, 12, 25];
    let mut word = 0;
    let mut i = 0;
    while i < fields.len() {
        word |= fields[i] << shifts[i];
        i += 1;
    }
    word
}

/// The constants of an entry, missing ones being zero.
const fn pad(given: &[u64]) -> [u64; 3] {
    let mut constants = [0; 3];
    let mut i = 0;
    while i < given.len() {
        constants[i] = given[i];
        i += 1;
    }
    constants
}

impl Op {
    /// The line of the list.
    #[must_use]
    pub const fn definition(self) -> &'static Definition {
        &DEFINITIONS[self as usize]
    }

    /// The class in the list.
    #[must_use]
    pub const fn class(self) -> Class {
        self.definition().class
    }
}

/// An instruction with its operands: what a word says, before anything is folded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Instruction {
    /// The instruction.
    pub op: Op,
    /// The destination register, 0 where the format has none.
    pub rd: u8,
    /// The first source register, 0 where the format has none.
    pub rs1: u8,
    /// The second source register, 0 where the format has none.
    pub rs2: u8,
    /// The immediate, sign-extended: a shift's amount, a branch's and a jump's offset in bytes, the
    /// constant of `lui` and `auipc` with its low 12 bits zero; 0 where the format has none.
    pub imm: i32,
}

impl Instruction {
    /// The instruction that `word` encodes, or `None` if it is undefined or reserved on this machine.
    #[must_use]
    pub fn decode(word: u32) -> Option<Self> {
        // Other lengths than 32 bits, and words of zeros, which fill gaps, need no search.
        if word & 3 != 3 {
            return None;
        }
        let definition = DEFINITIONS.iter().find(|d| word & d.format.mask() == d.pattern)?;
        let register = |shift: u32| (word >> shift & 31) as u8;
        let (rd, rs1, rs2) = (register(7), register(15), register(20));
        let signed = word.cast_signed();
        let at = |rd, rs1, rs2, imm| Self {
            op: definition.op,
            rd,
            rs1,
            rs2,
            imm,
        };
        Some(match definition.format {
            Format::R | Format::Block => at(rd, rs1, rs2, 0),
            Format::Addresses if rd == 0 => return None,
            Format::Addresses => at(rd, rs1, rs2, 0),
            Format::I | Format::Offset => at(rd, rs1, 0, signed >> 20),
            Format::Shift6 => at(rd, rs1, 0, signed >> 20 & 63),
            Format::Shift5 => at(rd, rs1, 0, signed >> 20 & 31),
            Format::S => at(0, rs1, rs2, signed >> 25 << 5 | signed >> 7 & 31),
            Format::B => at(
                0,
                rs1,
                rs2,
                signed >> 31 << 12 | (signed & 0x80) << 4 | signed >> 20 & 0x7e0 | signed >> 7 & 0x1e,
            ),
            Format::U => at(rd, 0, 0, signed & !0xfff),
            Format::J => at(
                rd,
                0,
                0,
                signed >> 31 << 20 | signed & 0xf_f000 | signed >> 9 & 0x800 | signed >> 20 & 0x7fe,
            ),
            Format::Fence | Format::Fixed => at(0, 0, 0, 0),
        })
    }

    /// The word of this instruction, or `None` if an operand does not fit its field.
    #[must_use]
    pub fn encode(&self) -> Option<u32> {
        let Self {
            op,
            rd,
            rs1,
            rs2,
            imm,
        } = *self;
        let definition = op.definition();
        let registers = u32::from(rd) << 7 | u32::from(rs1) << 15 | u32::from(rs2) << 20;
        let bits = imm.cast_unsigned();
        let immediate = match definition.format {
            Format::R | Format::Fixed | Format::Block | Format::Addresses => 0,
            Format::Fence => 0x0ff0_0000,
            Format::I | Format::Offset | Format::Shift6 | Format::Shift5 => bits << 20,
            Format::S => (bits & 0xfe0) << 20 | (bits & 31) << 7,
            Format::B => {
                (bits & 0x1000) << 19 | (bits & 0x7e0) << 20 | (bits & 0x1e) << 7 | (bits & 0x800) >> 4
            }
            Format::U => bits & !0xfff,
            Format::J => {
                (bits & 0x10_0000) << 11 | (bits & 0x7fe) << 20 | (bits & 0x800) << 9 | bits & 0xf_f000
            }
        };
        let word = definition.pattern | registers | immediate;
        // Reading the word back is the one test of every field's range.
        (Self::decode(word) == Some(*self)).then_some(word)
    }
}

/// The name of a register in the standard calling convention (RISC-V ABIs specification).
pub const REGISTER_NAMES: [&str; 32] = [
    "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3", "a4", "a5", "a6",
    "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
];
