//! What a row of each class commits to besides its blocks.

use rv::Class;

/// A committed column of a class's table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Column {
    /// The program counter.
    Pc,
    /// The first register read, of the entry.
    A1,
    /// The second register read, of the entry.
    A2,
    /// The register cell written, of the entry.
    Ad,
    /// The immediate, of the entry.
    Imm,
    /// The successor, of the entry.
    Next,
    /// A branch's target XOR the successor, of the entry.
    Delta,
    /// A constant or selector of the entry, by its place.
    Constant(usize),
    /// Whether the row ends the run, of the entry.
    Exit,
    /// The word of cell `ad` before.
    Old,
    /// A column of the class itself, by its place in [`rv::forms::Row::columns`].
    Own(usize),
}

/// The committed columns of a class's table, in order.
#[must_use]
pub const fn columns(class: Class) -> &'static [Column] {
    use Column::{A1, A2, Ad, Constant, Delta, Exit, Imm, Next, Old, Own, Pc};
    match class {
        Class::Add => &[Pc, A1, A2, Ad, Next, Constant(0), Old],
        Class::Addi | Class::Load => &[Pc, A1, Ad, Next, Old],
        Class::Jump => &[Pc, A1, Ad, Next, Exit, Own(0), Old],
        Class::Logic => &[Pc, A1, A2, Ad, Imm, Next, Constant(0), Constant(1), Old],
        Class::Shifti => &[Pc, A1, Ad, Next, Constant(0), Constant(1), Constant(2), Old],
        Class::Lt => &[Pc, A1, A2, Ad, Imm, Next, Delta, Constant(0), Constant(1), Old],
        Class::Eq => &[
            Pc,
            A1,
            A2,
            Next,
            Delta,
            Constant(0),
            Own(0),
            Own(1),
            Own(2),
            Own(3),
        ],
        Class::Word => &[Pc, A1, A2, Ad, Imm, Next, Constant(0), Old],
        Class::Ld => &[Pc, A1, Ad, Next, Own(0), Old],
        Class::Sd => &[Pc, A1, A2, Next, Own(0), Own(1)],
        Class::Store => &[Pc, A1, A2, Next],
        Class::Shift | Class::Mul | Class::Mulh | Class::Div => &[Pc, A1, A2, Ad, Next, Old],
        Class::Hash => &[Pc, A1, A2, Next, Own(0), Own(1), Own(2), Own(3), Own(4)],
        Class::Ext => &[
            Pc,
            A1,
            A2,
            Ad,
            Next,
            Own(0),
            Own(1),
            Own(2),
            Own(3),
            Own(4),
            Own(5),
            Own(6),
            Own(7),
            Own(8),
        ],
    }
}
