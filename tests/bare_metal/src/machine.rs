//! The bare machine: serial port, exceptions, power.

use core::{
    arch::asm,
    fmt::{self, Write},
    ptr::addr_of_mut,
};

/// Writes a formatted line to the serial port.
#[macro_export]
macro_rules! serial_line {
    ($($argument:tt)*) => { $crate::machine::write_line(format_args!($($argument)*)) };
}

/// The first serial port (COM1) and its registers (PC16550D data sheet, table II).
const PORT: u16 = 0x3f8;
const LINE_CONTROL: u16 = PORT + 3;
const LINE_STATUS: u16 = PORT + 5;
const TRANSMITTER_EMPTY: u8 = 1 << 5;

struct Serial;

impl Write for Serial {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            while input(LINE_STATUS) & TRANSMITTER_EMPTY == 0 {}
            output(PORT, byte);
        }
        Ok(())
    }
}

pub fn write_line(line: fmt::Arguments<'_>) {
    // The port cannot fail.
    let _ = writeln!(Serial, "{line}");
    while input(LINE_STATUS) & TRANSMITTER_EMPTY == 0 {}
}

/// Sets up the serial port, and exceptions so that they are told instead of resetting the machine.
pub fn start() {
    const EIGHT_BITS_NO_PARITY: u8 = 3;
    output(LINE_CONTROL, EIGHT_BITS_NO_PARITY);
    unsafe extern "C" {
        static fault_stubs: u8;
    }
    let stubs = (&raw const fault_stubs).addr();
    for vector in 0..32 {
        // Each stub takes 16 bytes, and all lie in the first 64 KiB or a little above.
        let entry = (stubs + 16 * vector) as u128;
        const PRESENT_INTERRUPT_GATE: u128 = 0x8e00;
        const CODE_SELECTOR: u128 = 8;
        let gate = entry & 0xffff | CODE_SELECTOR << 16 | PRESENT_INTERRUPT_GATE << 32 | (entry >> 16) << 48;
        // SAFETY: one thread, and the CPU reads the table on exceptions alone.
        unsafe { (*addr_of_mut!(IDT))[vector] = gate };
    }
}

/// The interrupt descriptor table that `start.s` has loaded.
#[unsafe(no_mangle)]
static mut IDT: [u128; 32] = [0; 32];

/// Tells of an exception. `stack` is what the CPU has pushed: for some vectors an error code, then the
/// address of the instruction.
#[unsafe(no_mangle)]
extern "C" fn rust_fault(vector: u32, stack: &[u64; 2]) -> ! {
    let has_error_code = matches!(vector, 8 | 10..=14 | 17);
    panic!(
        "exception {vector} of the CPU at {:#x}",
        stack[usize::from(has_error_code)]
    );
}

/// Ends the emulator: Bochs does so when this word is written to this port.
pub fn power_off() -> ! {
    for byte in *b"Shutdown" {
        output(0x8900, byte);
    }
    loop {
        // SAFETY: interrupts are off, so this stops for good.
        unsafe { asm!("hlt") }
    }
}

fn input(port: u16) -> u8 {
    let value;
    // SAFETY: the ports used here have no effect on memory.
    unsafe { asm!("in al, dx", in("dx") port, out("al") value, options(nomem, nostack)) }
    value
}

fn output(port: u16, value: u8) {
    // SAFETY: the ports used here have no effect on memory.
    unsafe { asm!("out dx, al", in("dx") port, in("al") value, options(nomem, nostack)) }
}
