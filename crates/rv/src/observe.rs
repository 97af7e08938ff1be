//! What the interpreter tells while it runs.

/// Watches a run. Every call is inlined, so what an observer ignores costs nothing.
pub trait Observer {
    /// An access to a memory cell. The accesses of a row come in the order of their slots, before the row's
    /// [`Observer::retire`].
    #[inline(always)]
    fn access(&mut self, access: Access) {
        let _ = access;
    }

    /// An instruction was executed.
    #[inline(always)]
    fn retire(&mut self, step: Step) {
        let _ = step;
    }
}

/// Watches nothing.
impl Observer for () {}

impl<A: Observer, B: Observer> Observer for (A, B) {
    #[inline(always)]
    fn access(&mut self, access: Access) {
        self.0.access(access);
        self.1.access(access);
    }

    #[inline(always)]
    fn retire(&mut self, step: Step) {
        self.0.retire(step);
        self.1.retire(step);
    }
}

impl<O: Observer> Observer for &mut O {
    #[inline(always)]
    fn access(&mut self, access: Access) {
        (**self).access(access);
    }

    #[inline(always)]
    fn retire(&mut self, step: Step) {
        (**self).retire(step);
    }
}

/// One access to one cell of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// The access's number in the clock of its row: 1 for loads, 2 for stores, `2 + k` for word k of a
    /// hash block, 4 to 6, 7 to 9, 10 to 12 for the limbs of a, b, c.
    pub slot: u8,
    /// The cell's address, a multiple of 8.
    pub address: u64,
    /// Its word before.
    pub old: u64,
    /// Its word after; equal to `old` in a read.
    pub new: u64,
}

/// One executed instruction. Register numbers, class and constants are those of the table's entry at `slot`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The cycle, counted from 1.
    pub cycle: u64,
    /// The slot of the instruction.
    pub slot: usize,
    /// The program counter after it: the halt slot's after the exit.
    pub next_pc: u64,
    /// The value of register `a1`.
    pub v1: u64,
    /// The value of register `a2`; 0 in a class without it.
    pub v2: u64,
    /// The value of cell `ad` before; 0 in a class without it.
    pub old: u64,
    /// The value of cell `ad` after.
    pub new: u64,
}
