//! Panics on the machine: they leave their message where the interpreter finds it, and trap.

use core::arch::asm;
use core::panic::PanicInfo;

/// What `a7` holds at the trap of a panic, "PANIC" in ASCII: it tells a panic from any other `unimp`.
const MARK: u64 = 0x50_414e_4943;

/// Traps by `unimp` with `a7` = [`MARK`], `a0`, `a1` = address and length of the message, `a2`, `a3` =
/// address and length of the source file's name, `a4` = the line, `a5` = the column.
///
/// Without the feature `panic_fmt` the message of a panic with arguments is empty: formatting doubles a
/// small program.
#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    let message = message(info);
    let (file, line, column) = match info.location() {
        Some(place) => (place.file(), place.line(), place.column()),
        None => ("", 0, 0),
    };
    // SAFETY: `unimp` traps, so this does not return.
    unsafe {
        asm!(
            "unimp",
            in("a0") message.as_ptr(),
            in("a1") message.len(),
            in("a2") file.as_ptr(),
            in("a3") file.len(),
            in("a4") u64::from(line),
            in("a5") u64::from(column),
            in("a7") MARK,
            options(noreturn, nostack, readonly),
        )
    }
}

#[cfg(not(feature = "panic_fmt"))]
fn message(info: &PanicInfo<'_>) -> &'static str {
    info.message().as_str().unwrap_or("")
}

#[cfg(feature = "panic_fmt")]
fn message(info: &PanicInfo<'_>) -> &'static str {
    use core::fmt::{self, Write};

    use crate::single::Single;

    const CAPACITY: usize = 1024;
    static TEXT: Single<[u8; CAPACITY]> = Single::new([0; CAPACITY]);

    /// Writes as much as fits, in whole characters.
    struct Text {
        length: usize,
    }

    impl Write for Text {
        fn write_str(&mut self, s: &str) -> fmt::Result {
            let fits = s.floor_char_boundary(CAPACITY - self.length);
            TEXT.with(|text| text[self.length..self.length + fits].copy_from_slice(&s.as_bytes()[..fits]));
            self.length += fits;
            if fits == s.len() { Ok(()) } else { Err(fmt::Error) }
        }
    }

    let mut text = Text { length: 0 };
    // What did not fit is left out.
    let _ = write!(text, "{}", info.message());
    TEXT.with(|bytes| {
        // SAFETY: the static lives as long as the run, and nothing writes it after this. The bytes are
        // prefixes of strings that end at character boundaries.
        unsafe { core::str::from_utf8_unchecked(core::slice::from_raw_parts(bytes.as_ptr(), text.length)) }
    })
}
