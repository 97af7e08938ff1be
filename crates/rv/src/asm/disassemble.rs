//! Words to text.

use alloc::format;
use alloc::string::{String, ToString};

use crate::isa::{Format, Instruction, REGISTER_NAMES};

/// The text of the instruction that `word` encodes at `pc`, or `.word` and the number. Assembling it gives the
/// word back, but for the bits of `fence` that this machine ignores.
#[must_use]
pub fn disassemble(word: u32, pc: u64) -> String {
    Instruction::decode(word).map_or_else(|| format!(".word {word:#010x}"), |i| text(&i, pc))
}

/// The text of `instruction` at `pc`.
fn text(instruction: &Instruction, pc: u64) -> String {
    let Instruction {
        op,
        rd,
        rs1,
        rs2,
        imm,
    } = *instruction;
    let definition = op.definition();
    let [rd, rs1, rs2] = [rd, rs1, rs2].map(|number| REGISTER_NAMES[usize::from(number & 31)]);
    let target = pc.wrapping_add(i64::from(imm).cast_unsigned());
    let operands = match definition.format {
        Format::R | Format::Addresses => format!("{rd}, {rs1}, {rs2}"),
        Format::I | Format::Shift6 | Format::Shift5 => format!("{rd}, {rs1}, {imm}"),
        Format::Offset => format!("{rd}, {imm}({rs1})"),
        Format::S => format!("{rs2}, {imm}({rs1})"),
        Format::B => format!("{rs1}, {rs2}, {target:#x}"),
        Format::U => format!("{rd}, {:#x}", imm.cast_unsigned() >> 12),
        Format::J => format!("{rd}, {target:#x}"),
        Format::Block => format!("{rs1}, {rs2}"),
        Format::Fence | Format::Fixed => return definition.mnemonic.to_string(),
    };
    format!("{} {operands}", definition.mnemonic)
}
