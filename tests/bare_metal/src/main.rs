//! Runs the kernel suite of `primitives` on a bare x86-64 machine and reports on the serial port.
//!
//! The back ends are found by CPUID, as in any program, so the image tests dispatch as well: it is built for
//! the baseline of x86-64, and must find every back end of its architecture. The widest one is what runs: an emulator of
//! a CPU with AVX-512, VPCLMULQDQ and GFNI runs it where the machine has none of them, and the others run natively. The
//! last line is `PASSED` or `FAILED`.

#![no_std]
#![no_main]

mod heap;
mod machine;
mod mem;

use core::{arch::global_asm, panic::PanicInfo};

use primitives::{
    backend::{self, Kind},
    suite,
};

global_asm!(include_str!("start.s"), options(att_syntax));

/// The back ends that the emulated CPU must have, from the slowest to the fastest.
const EXPECTED: [Kind; 4] = [Kind::Portable, Kind::Pclmul, Kind::Avx2, Kind::Avx512];

#[unsafe(no_mangle)]
extern "C" fn rust_main() -> ! {
    machine::start();
    let found = backend::available().map(|token| token.kind());
    assert!(
        found.eq(EXPECTED),
        "other back ends than {EXPECTED:?} are found on this CPU"
    );
    let token = backend::selected();
    assert_eq!(
        token.kind(),
        Kind::Avx512,
        "the selected back end is not the fastest"
    );
    serial_line!("back end {}: suite starts", token.kind());
    if let Err(mismatch) = suite::run(token, suite::CASES) {
        panic!("{mismatch}");
    }
    serial_line!("back end {}: suite passed\nPASSED", token.kind());
    machine::power_off()
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    serial_line!("{info}\nFAILED");
    machine::power_off()
}
