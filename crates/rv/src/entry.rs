//! The public table of entries: what the tables of the proof read of a program.
//!
//! Both parties decode each word once; a row then pulls its entry off the bus as one tuple, laid out alike
//! for every class (see [`Fields::tuple`]). Instructions that a class can express are folded into it here:
//!
//! - `lui`, `auipc` and `fence` are additions of a constant to `x0`;
//! - a 64-bit shift by 0 is ADDI with 0, a 32-bit shift by 0 is WORD with 0;
//! - `jal` and `ecall` are JUMP from `x0` with the absolute target as immediate, `ecall`'s being the halt slot.
//!
//! A class's fields, beyond the registers ([`Class::registers`]), `next` and zeros elsewhere:
//!
//! | class | imm | constants | else |
//! |---|---|---|---|
//! | ADD | | mask (0 or all ones) | |
//! | ADDI, LD, SD | immediate | | |
//! | JUMP | immediate or target | | exit |
//! | LOGIC | immediate | factor of the sum, factor of the conjunction | |
//! | SHIFTI | mask `2^j - 1` | `k1`, `k2`, factor of the rotated word | |
//! | LT | immediate | signed, negate | delta |
//! | EQ | | negate | delta |
//! | WORD | immediate | mask (0 or all ones) | |
//! | SHIFT | amount, and flags from bit 6 | | |
//! | LOAD, STORE | low 12 bits of the immediate, and flags from bit 12 | | |
//! | MUL, MULH, DIV, HASH, EXT | flags | | |

use primitives::field::K;
use thiserror::Error;

use crate::class::Class;
use crate::isa::{ARITHMETIC, FOUR, Format, HALVED, Instruction, Op, RIGHT, SIGNED, WIDE};

/// The register cell that a row writes when its instruction has no destination; nothing reads it.
pub const SINK: u8 = 32;

/// One slot of the table; its program counter is its position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Entry {
    /// The class, or `None` at a slot that no row can be at (tag 0).
    pub class: Option<Class>,
    /// The first register read.
    pub a1: u8,
    /// The second register read.
    pub a2: u8,
    /// The register cell written: 1 to 31, or [`SINK`]. For EXT the register of the destination's address.
    pub ad: u8,
    /// Whether the row ends the run.
    pub exit: bool,
    /// The immediate, a mask, or flags.
    pub imm: u64,
    /// The program counter of the next instruction, a taken branch or jump apart.
    pub next: u64,
    /// A branch's target XOR `next`.
    pub delta: u64,
    /// Constants and selectors of the class.
    pub constants: [u64; 3],
}

/// The fields of an entry: as words, or as what stands for them in the tables of the proof.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Fields<V> {
    /// The class's tag, or 0.
    pub tag: V,
    /// The first register read.
    pub a1: V,
    /// The second register read.
    pub a2: V,
    /// The register cell written, for EXT read.
    pub ad: V,
    /// The immediate, a mask, or flags.
    pub imm: V,
    /// The program counter of the next instruction, a taken branch or jump apart.
    pub next: V,
    /// A branch's target XOR `next`.
    pub delta: V,
    /// Constants and selectors of the class.
    pub constants: [V; 3],
    /// Whether the row ends the run.
    pub exit: V,
}

impl<V> Fields<V> {
    /// The fields, in the order of the tuple.
    pub fn into_array(self) -> [V; 11] {
        let [c0, c1, c2] = self.constants;
        [
            self.tag, self.a1, self.a2, self.ad, self.imm, self.next, self.delta, c0, c1, c2, self.exit,
        ]
    }

    /// The same fields, each as `f` has it, which is called in their order.
    pub fn map<W>(self, mut f: impl FnMut(V) -> W) -> Fields<W> {
        Fields {
            tag: f(self.tag),
            a1: f(self.a1),
            a2: f(self.a2),
            ad: f(self.ad),
            imm: f(self.imm),
            next: f(self.next),
            delta: f(self.delta),
            constants: self.constants.map(&mut f),
            exit: f(self.exit),
        }
    }

    /// The tuple that a row at `pc` pulls: separator, pc, tag, a1, a2, ad, imm, next, delta, the three
    /// constants, bad (0 in every program), exit.
    pub fn tuple(self, separator: V, pc: V, bad: V) -> [V; 14] {
        let [tag, a1, a2, ad, imm, next, delta, c0, c1, c2, exit] = self.into_array();
        [
            separator, pc, tag, a1, a2, ad, imm, next, delta, c0, c1, c2, bad, exit,
        ]
    }
}

/// The constants of a shift by a constant: the bus says `v1 = z k1 + t k2`, where z is `v1` rotated and
/// `t = z & mask`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShiftConstants {
    /// The low bits of the rotated word: those shifted out to the left, those that stay to the right.
    pub mask: u64,
    /// The factor of the rotated word.
    pub k1: K,
    /// The factor of its masked bits.
    pub k2: K,
}

impl ShiftConstants {
    /// The inverse of `x`: `x (x^63 + x^3 + x^2 + 1) = x^64 + x^4 + x^3 + x = 1`.
    const X_INVERSE: K = K(1 << 63 | 0b1101);
    /// `1 + x^64`.
    const ONE_PLUS_X64: K = K(1 ^ K::MODULUS_TAIL);

    /// The constants of `slli` by `amount`, 1 to 63. The shifted word is `z + t = v1 x^amount - t x^64`
    /// as polynomials, so `v1 = z x^-amount + t (1 + x^64) x^-amount` in K.
    #[must_use]
    pub const fn left(amount: u32) -> Self {
        let k1 = Self::X_INVERSE.pow_const(amount as u64);
        Self {
            mask: (1 << amount) - 1,
            k1,
            k2: Self::ONE_PLUS_X64.mul_const(k1),
        }
    }

    /// The constants of `srli` by `amount`, 1 to 63. The bits shifted out are `(z + t) x^-(64 - amount)`,
    /// so `v1 = (z + t) x^(amount - 64) + t x^amount`.
    #[must_use]
    pub const fn right(amount: u32) -> Self {
        let k1 = Self::X_INVERSE.pow_const(64 - amount as u64);
        let k2 = K(K::X.pow_const(amount as u64).0 ^ k1.0);
        Self {
            mask: u64::MAX >> amount,
            k1,
            k2,
        }
    }
}

impl Entry {
    /// The entry of `instruction` at `pc`, where the table's last slot is at `halt`.
    #[must_use]
    pub fn of(instruction: &Instruction, pc: u64, halt: u64) -> Self {
        let Instruction {
            op,
            rd,
            rs1,
            rs2,
            imm,
        } = *instruction;
        let definition = op.definition();
        let next = pc.wrapping_add(4);
        let immediate = i64::from(imm).cast_unsigned();
        let mut entry = Self {
            a1: rs1,
            next,
            constants: definition.constants,
            ..Self::default()
        };
        let mut class = definition.class;
        match class {
            Class::Shifti if imm == 0 => (class, entry.constants) = (Class::Addi, [0; 3]),
            Class::Shifti => {
                let [_, _, rotated] = entry.constants;
                let amount = imm.cast_unsigned();
                let shift = if rotated == 1 {
                    ShiftConstants::left(amount)
                } else {
                    ShiftConstants::right(amount)
                };
                entry.imm = shift.mask;
                entry.constants = [shift.k1.0, shift.k2.0, rotated];
            }
            Class::Shift if definition.format == Format::Shift6 && imm == 0 => class = Class::Addi,
            Class::Shift if definition.format == Format::Shift5 && imm == 0 => class = Class::Word,
            Class::Load | Class::Store => entry.imm = immediate & 0xfff | definition.flags,
            Class::Addi if op == Op::Auipc => entry.imm = pc.wrapping_add(immediate),
            Class::Jump if op == Op::Jal => entry.imm = pc.wrapping_add(immediate),
            Class::Jump if op == Op::Ecall => (entry.imm, entry.exit) = (halt, true),
            Class::Lt | Class::Eq if definition.format == Format::B => {
                entry.delta = pc.wrapping_add(immediate) ^ next;
            }
            _ => entry.imm = immediate | definition.flags,
        }
        let registers = class.registers();
        entry.class = Some(class);
        entry.a2 = if registers.a2 { rs2 } else { 0 };
        entry.ad = match rd {
            _ if !registers.ad => 0,
            0 => SINK,
            _ => rd,
        };
        entry
    }

    /// The entry of `class` that padding rows sit at, in the slot whose address is `pc`: its own successor.
    #[must_use]
    pub const fn filler(class: Class, pc: u64) -> Self {
        let ad = if class.registers().ad { SINK } else { 0 };
        let filler = Self {
            class: Some(class),
            a1: 0,
            a2: 0,
            ad,
            exit: false,
            imm: 0,
            next: pc,
            delta: 0,
            constants: [0; 3],
        };
        match class {
            Class::Jump => Self { imm: pc, ..filler },
            Class::Shifti => {
                let shift = ShiftConstants::left(1);
                Self {
                    imm: shift.mask,
                    constants: [shift.k1.0, shift.k2.0, 1],
                    ..filler
                }
            }
            // `remu`, whose remainder for the operands zero and zero is zero.
            Class::Div => Self { imm: 2, ..filler },
            _ => filler,
        }
    }

    /// The class's tag, or 0.
    #[must_use]
    pub const fn tag(&self) -> u8 {
        match self.class {
            Some(class) => class.tag(),
            None => 0,
        }
    }

    /// The fields as words.
    #[must_use]
    pub fn fields(&self) -> Fields<u64> {
        Fields {
            tag: self.tag().into(),
            a1: self.a1.into(),
            a2: self.a2.into(),
            ad: self.ad.into(),
            imm: self.imm,
            next: self.next,
            delta: self.delta,
            constants: self.constants,
            exit: self.exit.into(),
        }
    }

    /// The tuple of the entry, whose place is at `pc`; see [`Fields::tuple`].
    #[must_use]
    pub fn tuple(&self, separator: u64, pc: u64) -> [u64; 14] {
        self.fields().tuple(separator, pc, 0)
    }

    /// The entry as words, for digests: tag, a1, a2, ad and exit as the bytes of the first, then imm, next,
    /// delta and the constants.
    #[must_use]
    pub fn to_words(&self) -> [u64; 7] {
        let [c0, c1, c2] = self.constants;
        let bytes = [self.tag(), self.a1, self.a2, self.ad, self.exit.into(), 0, 0, 0];
        [
            u64::from_le_bytes(bytes),
            self.imm,
            self.next,
            self.delta,
            c0,
            c1,
            c2,
        ]
    }

    /// Whether this may stand in the program at `pc`, where the table's last slot is at `halt`.
    ///
    /// # Errors
    /// The first rule that is broken; see [`Fault`].
    pub fn check(&self, pc: u64, halt: u64) -> Result<(), Fault> {
        let Some(class) = self.class else {
            return Fault::SlotNotEmpty.unless(*self == Self::default());
        };
        Fault::Successor.unless(self.next == pc.wrapping_add(4))?;
        self.check_class(class, halt)
    }

    /// The rules of the class, which concern every field but `next`.
    fn check_class(&self, class: Class, halt: u64) -> Result<(), Fault> {
        let registers = class.registers();
        let last = if class == Class::Ext { 31 } else { SINK };
        Fault::Register.unless(self.a1 < 32 && self.a2 < 32)?;
        Fault::AbsentField.unless(registers.a2 || self.a2 == 0)?;
        let cell = if registers.ad { 1..=last } else { 0..=0 };
        Fault::Cell.unless(cell.contains(&self.ad))?;

        let branches = matches!(class, Class::Lt | Class::Eq);
        Fault::AbsentField.unless(branches || self.delta == 0)?;
        Fault::BranchWrites.unless(self.delta == 0 || !registers.ad || self.ad == SINK)?;
        Fault::Exit.unless(
            !self.exit || class == Class::Jump && (self.a1, self.ad) == (0, SINK) && self.imm == halt,
        )?;

        let [c0, c1, c2] = self.constants;
        let is_mask = |word: u64| word == 0 || word == u64::MAX;
        let is_bit = |word: u64| word <= 1;
        // A 12-bit immediate, sign-extended.
        let is_immediate = self.imm.wrapping_add(1 << 11) < 1 << 12;
        let flags_of = |low: u32| self.imm >> low << low;
        match class {
            Class::Add => {
                Fault::Mask.unless(is_mask(c0))?;
                Fault::AbsentField.unless([self.imm, c1, c2] == [0; 3])
            }
            Class::Addi | Class::Jump | Class::Ld | Class::Sd => {
                Fault::Immediate.unless(is_immediate || matches!(class, Class::Addi | Class::Jump))?;
                Fault::AbsentField.unless(self.constants == [0; 3])
            }
            Class::Logic | Class::Lt => {
                Fault::Immediate.unless(is_immediate)?;
                Fault::Selector.unless(is_bit(c0) && is_bit(c1))?;
                Fault::AbsentField.unless(c2 == 0)
            }
            Class::Shifti => {
                let low_bits = self.imm.trailing_ones();
                Fault::Mask.unless((1..64).contains(&low_bits) && self.imm >> low_bits == 0)?;
                Fault::Selector.unless(is_bit(c2))?;
                let shift = if c2 == 1 {
                    ShiftConstants::left(low_bits)
                } else {
                    ShiftConstants::right(64 - low_bits)
                };
                Fault::ShiftConstants.unless([c0, c1] == [shift.k1.0, shift.k2.0])
            }
            Class::Eq => {
                Fault::Selector.unless(is_bit(c0))?;
                Fault::AbsentField.unless([self.imm, c1, c2] == [0; 3])
            }
            Class::Word => {
                Fault::Immediate.unless(is_immediate)?;
                Fault::Mask.unless(is_mask(c0))?;
                Fault::AbsentField.unless([c1, c2] == [0; 2])
            }
            Class::Shift => {
                Fault::Flags.unless(flags_of(9) == 0)?;
                Fault::Flags.unless(self.imm & ARITHMETIC == 0 || self.imm & RIGHT != 0)?;
                Fault::Immediate.unless(self.imm & HALVED == 0 || self.imm & 32 == 0)?;
                Fault::AbsentField.unless(self.constants == [0; 3])
            }
            Class::Load | Class::Store => {
                let allowed = WIDE | FOUR | if class == Class::Load { SIGNED } else { 0 };
                Fault::Flags.unless(flags_of(12) & !allowed == 0)?;
                Fault::Flags.unless(self.imm & FOUR == 0 || self.imm & WIDE != 0)?;
                Fault::AbsentField.unless(self.constants == [0; 3])
            }
            Class::Hash => {
                Fault::Flags.unless(self.imm == 0 || self.imm == u32::MAX.into())?;
                Fault::AbsentField.unless(self.constants == [0; 3])
            }
            Class::Mul | Class::Mulh | Class::Div | Class::Ext => {
                let bits = match class {
                    Class::Mul => 1,
                    Class::Div => 3,
                    _ => 2,
                };
                // The second operand alone is never signed.
                let undefined = class == Class::Mulh && self.imm == 2;
                Fault::Flags.unless(flags_of(bits) == 0 && !undefined)?;
                Fault::AbsentField.unless(self.constants == [0; 3])
            }
        }
    }
}

/// A rule that an entry of a well-formed table keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Fault {
    /// A slot without class has other fields.
    #[error("a slot of tag 0 must be all zero")]
    SlotNotEmpty,
    /// `next` is not the following slot.
    #[error("the successor is not the following slot")]
    Successor,
    /// A register read is above 31.
    #[error("a register that is read must be 0 to 31")]
    Register,
    /// The cell written is neither 1 to 31 nor the sink where the class writes one, or not 0 elsewhere.
    #[error("the cell written must be 1 to 31 or the sink, or 0 in a class that writes none")]
    Cell,
    /// A field that the class does not have is not zero.
    #[error("a field that the class does not have must be zero")]
    AbsentField,
    /// A branch names a destination.
    #[error("a branch must write the sink")]
    BranchWrites,
    /// The exit bit stands on anything but a jump from `x0` to the halt slot that writes the sink.
    #[error("only a jump from x0 to the halt slot that writes the sink may exit")]
    Exit,
    /// The immediate is not one that the instruction can encode.
    #[error("the immediate is out of its range")]
    Immediate,
    /// A mask is neither zero nor all ones, or for a shift not a run of 1 to 63 low ones.
    #[error("the mask is none that the class has")]
    Mask,
    /// A selector is not a bit.
    #[error("a selector must be 0 or 1")]
    Selector,
    /// Flags that no instruction of the class has.
    #[error("the flags are none that the class has")]
    Flags,
    /// The factors are not those of the shift amount.
    #[error("the factors do not belong to the shift's amount")]
    ShiftConstants,
    /// A slot for padding rows holds anything but its class's filler.
    #[error("the slot must hold the filler of its class")]
    Filler,
}

impl Fault {
    /// This fault, unless `condition` holds.
    pub(crate) const fn unless(self, condition: bool) -> Result<(), Self> {
        if condition { Ok(()) } else { Err(self) }
    }
}
