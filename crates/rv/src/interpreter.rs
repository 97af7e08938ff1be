//! The interpreter: the reference of what the proof says.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use primitives::blake2s::compress_words;
use primitives::field::{E, K};

use crate::class::Class;
use crate::entry::SINK;
use crate::isa::{Instruction, Op};
use crate::memory::State;
use crate::observe::{Access, Observer, Step};
use crate::program::{Program, TEXT_BASE, slot_pc};
use crate::trap::{Cause, Illegal, Panic, RunError, Trap};

/// The environment call that ends a run.
pub const EXIT: u64 = 93;

/// The value of a7 by which a panic handler marks its `unimp`: "PANIC" in ASCII. Then a0 and a1 are address and
/// length of the message, a2 and a3 of the file's name, a4 the line and a5 the column.
pub const PANIC: u64 = 0x50_414e_4943;

/// The longest text, in bytes, that is read out of a panicking guest.
const MAX_PANIC_TEXT: u64 = 4096;

/// Bounds on a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The most cycles.
    pub cycles: u64,
}

impl Default for Limits {
    /// As many cycles as a clock can count: below 2^35.
    fn default() -> Self {
        Self {
            cycles: (1 << 35) - 1,
        }
    }
}

/// A run that ended by the exit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// Registers a0 to a3 at the exit.
    pub output: [u64; 4],
    /// Instructions executed, the exit's `ecall` included.
    pub cycles: u64,
    /// How often each slot of the program proper was executed.
    pub executions: Vec<u64>,
    /// Registers and memory at the end.
    pub state: State,
}

impl Run {
    /// The rows of each class, in the order of [`Class::ALL`].
    #[must_use]
    pub fn rows(&self, program: &Program) -> [u64; Class::COUNT] {
        let mut rows = [0; Class::COUNT];
        for (entry, count) in program.table().entries().iter().zip(&self.executions) {
            if let Some(class) = entry.class {
                rows[class.index()] += count;
            }
        }
        rows
    }

    /// The output as bytes.
    #[must_use]
    pub fn output_bytes(&self) -> [u8; 32] {
        core::array::from_fn(|i| self.output[i / 8].to_le_bytes()[i % 8])
    }
}

/// An instruction as the loop wants it: eight bytes, every register number a cell of the register file.
#[derive(Clone, Copy)]
struct Code {
    /// `None` at an undefined word, and behind the last one.
    op: Option<Op>,
    rd: u8,
    rs1: u8,
    rs2: u8,
    imm: i32,
}

/// The cell that instructions of a class without destination "write" their zero to, so that the loop has
/// one tail for all; it is zero always.
const NOWHERE: u8 = 63;

impl Code {
    const UNDEFINED: Self = Self {
        op: None,
        rd: NOWHERE,
        rs1: 0,
        rs2: 0,
        imm: 0,
    };

    fn of(instruction: &Instruction) -> Self {
        let Instruction {
            op,
            rd,
            rs1,
            rs2,
            imm,
        } = *instruction;
        let rd = match rd {
            _ if !op.class().registers().ad => NOWHERE,
            0 => SINK,
            _ => rd,
        };
        Self {
            op: Some(op),
            rd,
            rs1,
            rs2,
            imm,
        }
    }
}

/// Runs the program on the advice to its exit.
///
/// `observer` sees every executed instruction and memory access; `&mut ()` watches nothing and costs
/// nothing.
///
/// # Errors
/// [`RunError`]: advice that does not fit, the limit, or a trap.
pub fn run<O: Observer>(
    program: &Program,
    advice: &[u64],
    limits: Limits,
    observer: &mut O,
) -> Result<Run, RunError> {
    let max = 1 << program.log_advice();
    if advice.len() > max {
        return Err(RunError::Advice {
            words: advice.len(),
            max,
        });
    }
    let mut code: Vec<Code> = Vec::with_capacity(program.text().len() + 1);
    code.extend(
        program
            .instructions()
            .iter()
            .map(|i| i.as_ref().map_or(Code::UNDEFINED, Code::of)),
    );
    code.push(Code::UNDEFINED);
    let mut machine = Machine {
        code: &code,
        state: State::new(program, advice),
        halt: program.table().halt(),
        flow: vec![0; code.len()],
        slot: ((program.entry() - TEXT_BASE) / 4) as usize,
        cycle: 0,
    };
    match machine.execute(limits.cycles, observer) {
        Ok(()) => Ok(machine.into_run()),
        Err(Stop::Limit) => {
            let pc = slot_pc(machine.slot);
            let place = program.symbols().locate(pc);
            Err(RunError::CycleLimit {
                cycles: limits.cycles,
                pc,
                place,
            })
        }
        Err(Stop::Trap(cause)) => {
            let cause = machine.explain(program, cause);
            Err(RunError::Trap(Box::new(Trap::at(
                program,
                slot_pc(machine.slot),
                machine.cycle,
                cause,
            ))))
        }
    }
}

/// A run in progress.
struct Machine<'a> {
    code: &'a [Code],
    state: State,
    /// The program counter of the halt slot.
    halt: u64,
    /// The differences of neighbouring slots' execution counts, modulo 2^64: only taken jumps change them.
    flow: Vec<u64>,
    slot: usize,
    /// The cycle that is being executed.
    cycle: u64,
}

/// Why the loop ended before the exit.
enum Stop {
    Limit,
    Trap(Cause),
}

/// The low 32 bits of a word, sign-extended.
#[inline(always)]
const fn extend_word(value: u64) -> u64 {
    value as i32 as u64
}

/// `value`'s low `8 << log_bytes` bits, sign-extended.
#[inline(always)]
const fn extend(value: u64, bytes: u32) -> u64 {
    let unused = 64 - 8 * bytes;
    ((value << unused).cast_signed() >> unused).cast_unsigned()
}

/// The mask of the low `bytes` bytes, of at most 4.
#[inline(always)]
const fn low_bytes(bytes: u32) -> u64 {
    (1 << (8 * bytes)) - 1
}

impl Machine<'_> {
    /// Executes until the exit.
    fn execute<O: Observer>(&mut self, max_cycles: u64, observer: &mut O) -> Result<(), Stop> {
        // These two change in every step: they live in registers of the host and are written back at the end.
        let (mut slot, mut cycle) = (self.slot, self.cycle);
        let code = self.code;
        self.flow[slot] = 1;
        let end = 'run: loop {
            macro_rules! or_trap {
                ($result:expr) => {
                    match $result {
                        Ok(value) => value,
                        Err(cause) => break 'run Err(Stop::Trap(cause)),
                    }
                };
            }
            let Code {
                op,
                rd,
                rs1,
                rs2,
                imm,
            } = code[slot];
            if cycle == max_cycles {
                break Err(Stop::Limit);
            }
            cycle += 1;
            let (a, b) = (self.register(rs1), self.register(rs2));
            let (sa, sb) = (a.cast_signed(), b.cast_signed());
            let (wa, wb) = (a as u32, b as u32);
            let (signed_wa, signed_wb) = (wa.cast_signed(), wb.cast_signed());
            let i = i64::from(imm).cast_unsigned();
            let pc = slot_pc(slot);
            let address = a.wrapping_add(i);
            let amount = imm.cast_unsigned();
            let mut next = slot + 1;

            let Some(op) = op else {
                break Err(Stop::Trap(self.undefined(slot)));
            };
            let value = match op {
                Op::Lui => i,
                Op::Auipc => pc.wrapping_add(i),
                Op::Fence => 0,
                Op::Addi => a.wrapping_add(i),
                Op::Slti => (sa < i.cast_signed()).into(),
                Op::Sltiu => (a < i).into(),
                Op::Xori => a ^ i,
                Op::Ori => a | i,
                Op::Andi => a & i,
                Op::Slli => a << amount,
                Op::Srli => a >> amount,
                Op::Srai => (sa >> amount).cast_unsigned(),
                Op::Add => a.wrapping_add(b),
                Op::Sub => a.wrapping_sub(b),
                Op::Sll => a << (b & 63),
                Op::Slt => (sa < sb).into(),
                Op::Sltu => (a < b).into(),
                Op::Xor => a ^ b,
                Op::Srl => a >> (b & 63),
                Op::Sra => (sa >> (b & 63)).cast_unsigned(),
                Op::Or => a | b,
                Op::And => a & b,
                Op::Addiw => extend_word(a.wrapping_add(i)),
                Op::Slliw => extend_word((wa << amount).into()),
                Op::Srliw => extend_word((wa >> amount).into()),
                Op::Sraiw => i64::from(signed_wa >> amount).cast_unsigned(),
                Op::Addw => extend_word(a.wrapping_add(b)),
                Op::Subw => extend_word(a.wrapping_sub(b)),
                Op::Sllw => extend_word((wa << (b & 31)).into()),
                Op::Srlw => extend_word((wa >> (b & 31)).into()),
                Op::Sraw => i64::from(signed_wa >> (b & 31)).cast_unsigned(),

                Op::Mul => a.wrapping_mul(b),
                Op::Mulh => ((i128::from(sa) * i128::from(sb)) >> 64) as u64,
                Op::Mulhsu => ((i128::from(sa) * i128::from(b)) >> 64) as u64,
                Op::Mulhu => ((u128::from(a) * u128::from(b)) >> 64) as u64,
                Op::Mulw => extend_word(a.wrapping_mul(b)),
                Op::Div if b == 0 => u64::MAX,
                Op::Div => sa.wrapping_div(sb).cast_unsigned(),
                Op::Divu => a.checked_div(b).unwrap_or(u64::MAX),
                Op::Rem if b == 0 => a,
                Op::Rem => sa.wrapping_rem(sb).cast_unsigned(),
                Op::Remu => a.checked_rem(b).unwrap_or(a),
                Op::Divw if wb == 0 => u64::MAX,
                Op::Divw => i64::from(signed_wa.wrapping_div(signed_wb)).cast_unsigned(),
                Op::Divuw => extend_word(wa.checked_div(wb).unwrap_or(u32::MAX).into()),
                Op::Remw if wb == 0 => extend_word(a),
                Op::Remw => i64::from(signed_wa.wrapping_rem(signed_wb)).cast_unsigned(),
                Op::Remuw => extend_word(wa.checked_rem(wb).unwrap_or(wa).into()),

                Op::Lb => extend(or_trap!(self.load(address, 1, observer)), 1),
                Op::Lh => extend(or_trap!(self.load(address, 2, observer)), 2),
                Op::Lw => extend(or_trap!(self.load(address, 4, observer)), 4),
                Op::Ld => or_trap!(self.load(address, 8, observer)),
                Op::Lbu => or_trap!(self.load(address, 1, observer)) & low_bytes(1),
                Op::Lhu => or_trap!(self.load(address, 2, observer)) & low_bytes(2),
                Op::Lwu => or_trap!(self.load(address, 4, observer)) & low_bytes(4),
                Op::Sb => or_trap!(self.store(address, 1, low_bytes(1), b, observer)),
                Op::Sh => or_trap!(self.store(address, 2, low_bytes(2), b, observer)),
                Op::Sw => or_trap!(self.store(address, 4, low_bytes(4), b, observer)),
                Op::Sd => or_trap!(self.store(address, 8, u64::MAX, b, observer)),

                Op::Jal => {
                    next = or_trap!(self.jump(slot, pc.wrapping_add(i)));
                    pc + 4
                }
                Op::Jalr => {
                    next = or_trap!(self.jump(slot, address & !1));
                    pc + 4
                }
                Op::Beq | Op::Bne => {
                    if (a == b) == (op == Op::Beq) {
                        next = or_trap!(self.jump(slot, pc.wrapping_add(i)));
                    }
                    0
                }
                Op::Blt | Op::Bge => {
                    let less = sa < sb;
                    if less == (op == Op::Blt) {
                        next = or_trap!(self.jump(slot, pc.wrapping_add(i)));
                    }
                    less.into()
                }
                Op::Bltu | Op::Bgeu => {
                    let less = a < b;
                    if less == (op == Op::Bltu) {
                        next = or_trap!(self.jump(slot, pc.wrapping_add(i)));
                    }
                    less.into()
                }
                Op::Ecall => {
                    let number = self.register(17);
                    if number != EXIT {
                        break Err(Stop::Trap(Cause::Ecall { number }));
                    }
                    self.flow[slot + 1] = self.flow[slot + 1].wrapping_sub(1);
                    pc + 4
                }

                Op::Blake2s => or_trap!(self.hash(a, b, false, observer)),
                Op::Blake2sFinal => or_trap!(self.hash(a, b, true, observer)),
                Op::Extmul | Op::Extmac | Op::Extmulk | Op::Extmack => {
                    let c = self.register(rd);
                    or_trap!(self.extension(op, a, b, c, observer));
                    c
                }
            };

            let old = self.register(rd);
            self.state.registers[usize::from(rd & 63)] = value;
            let next_pc = if op == Op::Ecall { self.halt } else { slot_pc(next) };
            observer.retire(Step {
                cycle,
                slot,
                next_pc,
                v1: a,
                v2: b,
                old,
                new: value,
            });
            if op == Op::Ecall {
                break Ok(());
            }
            slot = next;
        };
        (self.slot, self.cycle) = (slot, cycle);
        end
    }

    #[inline(always)]
    fn register(&self, number: u8) -> u64 {
        self.state.registers[usize::from(number & 63)]
    }

    /// Counts the jump from slot `from` to `target`, whose slot is returned if an instruction is there.
    #[inline(always)]
    fn jump(&mut self, from: usize, target: u64) -> Result<usize, Cause> {
        let offset = target.wrapping_sub(TEXT_BASE);
        let slot = (offset / 4) as usize;
        if !offset.is_multiple_of(4) || offset / 4 >= self.code.len() as u64 - 1 {
            return Err(Cause::Jump { target });
        }
        self.flow[slot] = self.flow[slot].wrapping_add(1);
        self.flow[from + 1] = self.flow[from + 1].wrapping_sub(1);
        Ok(slot)
    }

    /// The cell at `address`, shifted down to the bytes that the access names.
    #[inline(always)]
    fn load<O: Observer>(&mut self, address: u64, width: u64, observer: &mut O) -> Result<u64, Cause> {
        let word = *self.state.cell(address, width)?;
        observer.access(Access {
            slot: 1,
            address: address & !7,
            old: word,
            new: word,
        });
        Ok(word >> (8 * (address & 7)))
    }

    /// Puts the bytes of `mask` from `value` into the cell at `address`; returns 0, for no register is written.
    #[inline(always)]
    fn store<O: Observer>(
        &mut self,
        address: u64,
        width: u64,
        mask: u64,
        value: u64,
        observer: &mut O,
    ) -> Result<u64, Cause> {
        let cell = self.state.cell(address, width)?;
        let shift = 8 * (address & 7);
        let old = *cell;
        *cell = old & !(mask << shift) | (value & mask) << shift;
        observer.access(Access {
            slot: 2,
            address: address & !7,
            old,
            new: *cell,
        });
        Ok(0)
    }

    /// The compression of the block at `base`; returns 0, for no register is written.
    #[inline(never)]
    fn hash<O: Observer>(
        &mut self,
        base: u64,
        counter: u64,
        last: bool,
        observer: &mut O,
    ) -> Result<u64, Cause> {
        let mut block = [0; 16];
        for (word, k) in block.iter_mut().zip(0..) {
            *word = *self.state.cell(base ^ (8 * k), 8)?;
        }
        let [h0, h1, h2, h3, _, _, _, _, message @ ..] = block;
        let out = compress_words(&[h0, h1, h2, h3], &message, counter, last);
        let mut new = block;
        new[4..8].copy_from_slice(&out);
        for ((old, new), k) in block.into_iter().zip(new).zip(0u8..) {
            let address = base ^ (8 * u64::from(k));
            *self.state.cell(address, 8)? = new;
            observer.access(Access {
                slot: 2 + k,
                address,
                old,
                new,
            });
        }
        Ok(0)
    }

    /// `c = [c +] a b` on the elements at these addresses.
    #[inline(never)]
    fn extension<O: Observer>(
        &mut self,
        op: Op,
        a: u64,
        b: u64,
        c: u64,
        observer: &mut O,
    ) -> Result<(), Cause> {
        let base_field = matches!(op, Op::Extmulk | Op::Extmack);
        let accumulate = matches!(op, Op::Extmac | Op::Extmack);
        let limb = |base: u64, i: u64| base.wrapping_add(8 * i);
        let (mut x, mut y, mut old) = ([0; 3], [0; 3], [0; 3]);
        for (words, base, limbs) in [
            (&mut x, a, 3),
            (&mut y, b, if base_field { 1 } else { 3 }),
            (&mut old, c, 3),
        ] {
            for (word, i) in words.iter_mut().zip(0..limbs) {
                *word = *self.state.cell(limb(base, i), 8)?;
            }
        }
        let (x, y) = (E::from_words(x), E::from_words(y));
        let product = if base_field { x * K(y.to_words()[0]) } else { x * y };
        let new = if accumulate {
            E::from_words(old) + product
        } else {
            product
        };

        for (slot, base, words) in [(4, a, x.to_words()), (7, b, y.to_words())] {
            let limbs = if slot == 7 && base_field { 1 } else { 3 };
            for (word, i) in words.into_iter().zip(0..limbs) {
                observer.access(Access {
                    slot: slot + i as u8,
                    address: limb(base, i),
                    old: word,
                    new: word,
                });
            }
        }
        for ((old, new), i) in old.into_iter().zip(new.to_words()).zip(0..) {
            *self.state.cell(limb(c, i), 8)? = new;
            observer.access(Access {
                slot: 10 + i as u8,
                address: limb(c, i),
                old,
                new,
            });
        }
        Ok(())
    }

    /// Why there is no instruction at the current slot.
    fn undefined(&self, slot: usize) -> Cause {
        // Words are told apart by `explain`, which has the program.
        if slot + 1 == self.code.len() {
            Cause::End
        } else {
            Cause::Illegal(Illegal::Undefined)
        }
    }

    /// Makes a cause more exact from the program's words and the guest's memory.
    fn explain(&self, program: &Program, cause: Cause) -> Cause {
        let (Cause::Illegal(_), Some(&word)) = (&cause, program.text().get(self.slot)) else {
            return cause;
        };
        let illegal = Illegal::classify(word);
        if illegal != Illegal::Unimp || self.register(17) != PANIC {
            return Cause::Illegal(illegal);
        }
        let text = |address, length: u64| {
            let bytes = self.state.bytes(address, length.min(MAX_PANIC_TEXT));
            String::from_utf8_lossy(&bytes).into_owned()
        };
        let [a0, a1, a2, a3, line, column] = core::array::from_fn(|i| self.register(10 + i as u8));
        Cause::Panic(Box::new(Panic {
            message: text(a0, a1),
            file: text(a2, a3),
            line,
            column,
        }))
    }

    /// The finished run.
    fn into_run(self) -> Run {
        let mut executions = self.flow;
        executions.pop();
        let mut count = 0u64;
        for slot in &mut executions {
            count = count.wrapping_add(*slot);
            *slot = count;
        }
        let output = core::array::from_fn(|i| self.state.registers[10 + i]);
        Run {
            output,
            cycles: self.cycle,
            executions,
            state: self.state,
        }
    }
}
