//! What is written while the program runs: of each row the words that the machine gives it.
//!
//! | where | what |
//! |---|---|
//! | columns | pc; the word of cell `ad` before; the class's own, but those that follow from others |
//! | class block | operands where their port is, without what the entry adds to them; at the output ports what the interpreter computed |
//! | clock block | the row's clock, and of each access the clock of the one before |
//!
//! A word that follows from the entry alone is not written. The clocks of the last accesses so far stand in the free
//! columns of the last accesses, which is what they are at the end.

use alloc::vec::Vec;
use core::mem::{replace, take};

use circuit::clock::{CYCLE, LIVE};
use rv::observe::{Access, Observer, Step};
use rv::program::{ADVICE_BASE, RAM_BASE, slot_pc};
use rv::{Class, Program};

use super::windows::{Window, Windows};
use crate::columns::{Column, columns};
use crate::machine::{ADVICE_CLOCKS, RAM_CLOCKS, REGISTER_CLOCKS, SEED, START};
use crate::parts;

/// Slots of accesses, and more, so that no slot needs a check.
const SLOTS: usize = 32;

/// Registers, and more, so that no number needs a check.
const REGISTERS: usize = 64;

/// The clock that an access which is not made refers to.
const UNUSED: u64 = 1 << LIVE;

/// The observer that writes the rows of a run.
pub(super) struct Recorder<'a> {
    /// What an entry says of the registers, by slot.
    entries: Vec<Registers>,
    /// The clock of the row that is being executed.
    ts: u64,
    /// Its accesses to memory, by slot.
    cells: [Cell; SLOTS],
    registers: &'a mut [u64; REGISTERS],
    ram: &'a mut [u64],
    advice: &'a mut [u64],
    tables: Tables<'a>,
}

/// Class and registers of an entry.
#[derive(Clone, Copy)]
struct Registers {
    class: Option<Class>,
    a1: u8,
    a2: u8,
    ad: u8,
    /// The lowest bits of the immediate: EXT's flags.
    flags: u8,
}

/// An access to memory.
#[derive(Clone, Copy, Default)]
struct Cell {
    address: u64,
    old: u64,
    new: u64,
    /// The clock of the access before.
    prev: u64,
}

/// The tables: words of a class block, of a clock block, and the class's own columns that are written.
struct Tables<'a> {
    add: Rows<'a, 4, 8, 0>,
    addi: Rows<'a, 4, 8, 0>,
    jump: Rows<'a, 4, 8, 0>,
    logic: Rows<'a, 4, 8, 0>,
    shifti: Rows<'a, 4, 8, 0>,
    lt: Rows<'a, 4, 8, 0>,
    eq: Rows<'a, 1, 8, 3>,
    word: Rows<'a, 4, 8, 0>,
    shift: Rows<'a, 16, 8, 0>,
    load: Rows<'a, 8, 8, 0>,
    store: Rows<'a, 8, 8, 0>,
    ld: Rows<'a, 4, 8, 1>,
    sd: Rows<'a, 4, 8, 2>,
    mul: Rows<'a, 64, 8, 0>,
    mulh: Rows<'a, 64, 8, 0>,
    div: Rows<'a, 64, 8, 0>,
    hash: Rows<'a, 256, 32, 5>,
    ext: Rows<'a, 16, 32, 9>,
}

/// The rows of a class, one after another: those of its first table, then those of its second.
struct Rows<'a, const BLOCK: usize, const CLOCK: usize, const OWN: usize> {
    row: usize,
    /// The table that is being filled.
    part: Part<'a, BLOCK, CLOCK, OWN>,
    /// The one after it.
    rest: Part<'a, BLOCK, CLOCK, OWN>,
}

/// The words of a table that are written.
struct Part<'a, const BLOCK: usize, const CLOCK: usize, const OWN: usize> {
    pc: &'a mut [u64],
    old: &'a mut [u64],
    own: [&'a mut [u64]; OWN],
    block: &'a mut [[u64; BLOCK]],
    clock: &'a mut [[u64; CLOCK]],
}

impl<const BLOCK: usize, const CLOCK: usize, const OWN: usize> Default for Part<'_, BLOCK, CLOCK, OWN> {
    fn default() -> Self {
        Self {
            pc: Default::default(),
            old: Default::default(),
            own: core::array::from_fn(|_| Default::default()),
            block: Default::default(),
            clock: Default::default(),
        }
    }
}

impl<'a, const BLOCK: usize, const CLOCK: usize, const OWN: usize> Part<'a, BLOCK, CLOCK, OWN> {
    fn new(window: &mut Window<'a>, class: Class) -> Self {
        let Window {
            columns: words,
            block,
            clock,
        } = take(window);
        let mut part = Self {
            block: block.as_chunks_mut().0,
            clock: clock.as_chunks_mut().0,
            ..Self::default()
        };
        for (column, words) in columns(class).iter().zip(words) {
            match *column {
                Column::Pc => part.pc = words,
                Column::Old => part.old = words,
                Column::Own(i) if i < OWN => part.own[i] = words,
                _ => {}
            }
        }
        part
    }
}

impl<'a, const BLOCK: usize, const CLOCK: usize, const OWN: usize> Rows<'a, BLOCK, CLOCK, OWN> {
    fn new(windows: &mut [Window<'a>], class: Class) -> Self {
        let [part, rest] =
            core::array::from_fn(|part| Part::new(&mut windows[parts::number(class, part)], class));
        let mut rows = Self { row: 0, part, rest };
        if rows.part.pc.is_empty() {
            rows.turn();
        }
        rows
    }

    /// Writes what every row has: the program counter, and the ports of its clock.
    #[inline(always)]
    fn put<const TIMES: usize>(&mut self, pc: u64, times: [u64; TIMES]) {
        self.part.pc[self.row] = pc;
        self.part.clock[self.row][..TIMES].copy_from_slice(&times);
    }

    /// Writes ports from the first on.
    #[inline(always)]
    fn ports<const PORTS: usize>(&mut self, words: [u64; PORTS]) {
        self.part.block[self.row][..PORTS].copy_from_slice(&words);
    }

    /// Writes the last words of the block, which are to be compared with what follows from the others.
    #[inline(always)]
    fn behind<const WORDS: usize>(&mut self, words: [u64; WORDS]) {
        self.part.block[self.row][BLOCK - WORDS..].copy_from_slice(&words);
    }

    /// Writes the word of cell `ad` before.
    #[inline(always)]
    fn old(&mut self, word: u64) {
        self.part.old[self.row] = word;
    }

    /// Writes the class's own columns.
    #[inline(always)]
    fn own(&mut self, words: [u64; OWN]) {
        for (column, word) in self.part.own.iter_mut().zip(words) {
            column[self.row] = word;
        }
    }

    /// The row is complete.
    #[inline(always)]
    fn next(&mut self) {
        self.row += 1;
        if self.row == self.part.pc.len() {
            self.turn();
        }
    }

    /// The first table is full: what follows is for the second.
    #[cold]
    fn turn(&mut self) {
        self.row = 0;
        self.part = take(&mut self.rest);
    }
}

impl<'a> Recorder<'a> {
    /// A recorder of a run from its start.
    pub(super) fn new(program: &Program, windows: Windows<'a>) -> Self {
        let Windows { mut tables, free, .. } = windows;
        let [_, registers, _, ram, _, _, advice] =
            <[_; 7]>::try_from(free).expect("the machine has seven free columns");
        const { assert!(REGISTER_CLOCKS == 1 && RAM_CLOCKS == 3 && ADVICE_CLOCKS == 6) };
        let registers: &mut [u64; REGISTERS] = registers.try_into().expect("there are 64 register cells");
        registers.fill(SEED);
        ram.fill(SEED);
        advice.fill(SEED);
        let entries = program.table().entries().iter();
        let tables = &mut tables[..];
        Self {
            entries: entries
                .map(|entry| Registers {
                    class: entry.class,
                    a1: entry.a1,
                    a2: entry.a2,
                    ad: entry.ad,
                    flags: entry.imm as u8,
                })
                .collect(),
            ts: START,
            cells: [Cell::default(); SLOTS],
            registers,
            ram,
            advice,
            tables: Tables {
                add: Rows::new(tables, Class::Add),
                addi: Rows::new(tables, Class::Addi),
                jump: Rows::new(tables, Class::Jump),
                logic: Rows::new(tables, Class::Logic),
                shifti: Rows::new(tables, Class::Shifti),
                lt: Rows::new(tables, Class::Lt),
                eq: Rows::new(tables, Class::Eq),
                word: Rows::new(tables, Class::Word),
                shift: Rows::new(tables, Class::Shift),
                load: Rows::new(tables, Class::Load),
                store: Rows::new(tables, Class::Store),
                ld: Rows::new(tables, Class::Ld),
                sd: Rows::new(tables, Class::Sd),
                mul: Rows::new(tables, Class::Mul),
                mulh: Rows::new(tables, Class::Mulh),
                div: Rows::new(tables, Class::Div),
                hash: Rows::new(tables, Class::Hash),
                ext: Rows::new(tables, Class::Ext),
            },
        }
    }

    /// The clock of the last access to a register, which is accessed now in this slot.
    #[inline(always)]
    fn register(&mut self, number: u8, slot: u64) -> u64 {
        let clock = &mut self.registers[usize::from(number) % REGISTERS];
        replace(clock, self.ts ^ slot)
    }

    /// A row of HASH. Its block is at `base`, and registers were last accessed at `times`.
    fn hash(&mut self, pc: u64, [base, counter]: [u64; 2], [t1, t2]: [u64; 2]) {
        let cells: &[Cell; 16] = self.cells[2..].first_chunk().expect("there are more slots");
        let mut times = [self.ts; 19];
        (times[1], times[2]) = (t1, t2);
        for ((time, cell), k) in times[3..].iter_mut().zip(cells).zip(0..) {
            assert_eq!(cell.address, base ^ (8 * k), "the words of a block");
            *time = cell.prev;
        }
        let [_, _, _, _, o0, o1, o2, o3, ..] = *cells;
        let mut ports = [counter; 18];
        let read = cells[..4].iter().chain(&cells[8..]).map(|cell| cell.old);
        let written = [o0.new, o1.new, o2.new, o3.new];
        for (port, word) in ports[2..].iter_mut().zip(read.chain(written)) {
            *port = word;
        }
        let rows = &mut self.tables.hash;
        rows.put(pc, times);
        rows.ports(ports);
        rows.own([base, o0.old, o1.old, o2.old, o3.old]);
        rows.next();
    }

    /// A row of EXT. The limbs are at `pointers`, which were read in registers last accessed at `times`; with an
    /// operand in K its missing limbs are read in register x0.
    fn ext(&mut self, pc: u64, pointers: [u64; 3], times: [u64; 3], in_base_field: bool) {
        if in_base_field {
            for slot in [8, 9] {
                self.cells[slot] = Cell {
                    prev: self.register(0, slot as u64),
                    ..Cell::default()
                };
            }
        }
        let cells: &[Cell; 9] = self.cells[4..].first_chunk().expect("there are more slots");
        let [t1, t2, t3] = times;
        let mut times = [UNUSED; 19];
        times[..4].copy_from_slice(&[self.ts, t1, t2, t3]);
        for (i, cell) in cells.iter().enumerate() {
            times[5 + i] = cell.prev;
            let expected = pointers[i / 3].wrapping_add(8 * (i as u64 % 3));
            let in_register = in_base_field && (i == 4 || i == 5);
            assert!(in_register || cell.address == expected, "the limbs of an element");
        }
        let [a, b, c] = pointers;
        let rows = &mut self.tables.ext;
        rows.put(pc, times);
        rows.ports([a, b, c]);
        rows.own(cells.map(|cell| cell.old));
        rows.behind([6, 7, 8].map(|limb| cells[limb].new));
        rows.next();
    }
}

impl Observer for Recorder<'_> {
    #[inline(always)]
    fn access(&mut self, access: Access) {
        let Access {
            slot,
            address,
            old,
            new,
        } = access;
        let index = |base: u64| ((address ^ base) >> 3) as usize;
        // In one region's addresses the other's base is a bit above its indices.
        let clock = match self.ram.get_mut(index(RAM_BASE)) {
            Some(clock) => clock,
            None => &mut self.advice[index(ADVICE_BASE)],
        };
        let prev = replace(clock, self.ts ^ u64::from(slot));
        self.cells[usize::from(slot) % SLOTS] = Cell {
            address,
            old,
            new,
            prev,
        };
    }

    #[inline(always)]
    fn retire(&mut self, step: Step) {
        let Step {
            slot,
            next_pc,
            v1,
            v2,
            old,
            new,
            ..
        } = step;
        let Registers {
            class,
            a1,
            a2,
            ad,
            flags,
        } = self.entries[slot];
        let pc = slot_pc(slot);
        let ts = self.ts;
        let t1 = self.register(a1, 0);
        // The times of rows that access these registers.
        macro_rules! times {
            (a1) => {
                [ts, t1, UNUSED, UNUSED]
            };
            (a1 a2) => {
                [ts, t1, self.register(a2, 1), UNUSED]
            };
            (a1 ad) => {
                [ts, t1, UNUSED, self.register(ad, 2)]
            };
            (a1 a2 ad) => {
                [ts, t1, self.register(a2, 1), self.register(ad, 2)]
            };
        }
        // A row of a class that writes a cell, and has no columns of its own to be written.
        macro_rules! row {
            ($table:ident, $times:expr, $ports:expr) => {{
                let times = $times;
                let rows = &mut self.tables.$table;
                rows.put(pc, times);
                rows.ports($ports);
                rows.old(old);
                rows.next();
            }};
        }
        match class {
            Some(Class::Add) => row!(add, times!(a1 a2 ad), [v1, v2, new]),
            Some(Class::Addi) => row!(addi, times!(a1 ad), [v1, 0, new]),
            Some(Class::Jump) => row!(jump, times!(a1 ad), [v1, 0, next_pc]),
            Some(Class::Logic) => row!(logic, times!(a1 a2 ad), [v1, v2, new]),
            Some(Class::Shifti) => row!(shifti, times!(a1 ad), [v1, 0, new]),
            Some(Class::Lt) => row!(lt, times!(a1 a2 ad), [v1, v2, new, next_pc]),
            Some(Class::Word) => row!(word, times!(a1 a2 ad), [v1, v2, new]),
            Some(Class::Shift) => row!(shift, times!(a1 a2 ad), [v1, v2, 0, new]),
            Some(Class::Mul) => row!(mul, times!(a1 a2 ad), [v1, v2, 0, new]),
            Some(Class::Mulh) => row!(mulh, times!(a1 a2 ad), [v1, v2, 0, new]),
            Some(Class::Div) => row!(div, times!(a1 a2 ad), [v1, v2, 0, 0, 0, new]),
            Some(Class::Eq) => {
                let times = times!(a1 a2);
                let rows = &mut self.tables.eq;
                rows.put(pc, times);
                rows.own([v1, v2, next_pc]);
                rows.next();
            }
            Some(Class::Load) => {
                let [
                    _,
                    Cell {
                        address,
                        old: cell,
                        prev,
                        ..
                    },
                    ..,
                ] = self.cells;
                row!(
                    load,
                    [ts, t1, prev, self.register(ad, 2)],
                    [v1, 0, cell, address, new]
                );
            }
            Some(Class::Ld) => {
                let [
                    _,
                    Cell {
                        address,
                        old: cell,
                        prev,
                        ..
                    },
                    ..,
                ] = self.cells;
                assert_eq!(new, cell, "what ld reads is what it writes");
                self.tables.ld.own([cell]);
                row!(ld, [ts, t1, prev, self.register(ad, 2)], [v1, 0, address]);
            }
            Some(Class::Store) => {
                let [
                    _,
                    _,
                    Cell {
                        address,
                        old,
                        new,
                        prev,
                    },
                    ..,
                ] = self.cells;
                let times = [ts, t1, self.register(a2, 1), prev];
                let rows = &mut self.tables.store;
                rows.put(pc, times);
                rows.ports([v1, v2, 0, old, address, old ^ new]);
                rows.next();
            }
            Some(Class::Sd) => {
                let [
                    _,
                    _,
                    Cell {
                        address,
                        old,
                        new,
                        prev,
                    },
                    ..,
                ] = self.cells;
                assert_eq!(new, v2, "what sd reads is what it writes");
                let times = [ts, t1, self.register(a2, 1), prev];
                let rows = &mut self.tables.sd;
                rows.put(pc, times);
                rows.ports([v1, 0, address]);
                rows.own([v2, old]);
                rows.next();
            }
            Some(Class::Hash) => {
                let t2 = self.register(a2, 1);
                self.hash(pc, [v1, v2], [t1, t2]);
            }
            Some(Class::Ext) => {
                let times = [t1, self.register(a2, 1), self.register(ad, 2)];
                self.ext(pc, [v1, v2, old], times, flags & 2 == 2);
            }
            None => panic!("an instruction was executed where there is none, at {pc:#x}: a bug of ours"),
        }
        let is_straight = !matches!(class, Some(Class::Jump | Class::Lt | Class::Eq));
        assert!(
            !is_straight || next_pc == pc + 4,
            "a jump of no branch, at {pc:#x}: a bug of ours"
        );
        self.ts += 1 << CYCLE;
    }
}
