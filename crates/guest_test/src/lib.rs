//! What the tests of guests have in common: a guest runs on the machine, natively, and under QEMU's user mode.
//!
//! It imports the machine (`rv`), the SDK (`leanvm_guest`) and `test_tools`.

mod qemu;

use std::panic::{AssertUnwindSafe, catch_unwind};

use leanvm_guest::host;
use rv::trap::{Cause, Panic};
use rv::{Limits, Run, RunError};

/// A guest: its program, and the main function of its library.
#[derive(Clone, Copy, Debug)]
pub struct Guest {
    /// The ELF file.
    pub elf: &'static [u8],
    /// What the program starts.
    pub main: fn(),
}

impl Guest {
    /// A run on the machine.
    ///
    /// # Errors
    /// [`RunError`]: it traps, or does not end.
    ///
    /// # Panics
    /// If the file is no program.
    pub fn run(&self, advice: &[u64]) -> Result<Run, RunError> {
        let program = rv::elf::load(self.elf).unwrap_or_else(|error| panic!("{error}"));
        rv::run(&program, advice, Limits::default(), &mut ())
    }

    /// A run on the machine that exits.
    ///
    /// # Panics
    /// If it does not.
    #[must_use]
    pub fn exit(&self, advice: &[u64]) -> Run {
        self.run(advice).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The cause of the trap in which a run on the machine ends.
    ///
    /// # Panics
    /// If it exits, or runs too long.
    #[must_use]
    pub fn trap(&self, advice: &[u64]) -> Cause {
        match self.run(advice) {
            Err(RunError::Trap(trap)) => trap.cause,
            other => panic!("{other:?}"),
        }
    }

    /// The panic in which a run on the machine ends.
    ///
    /// # Panics
    /// If it ends otherwise.
    #[must_use]
    pub fn panic(&self, advice: &[u64]) -> Panic {
        match self.trap(advice) {
            Cause::Panic(panic) => *panic,
            cause => panic!("{cause}"),
        }
    }

    /// The message of [that panic](Self::panic).
    ///
    /// # Panics
    /// If it ends otherwise.
    #[must_use]
    pub fn panic_message(&self, advice: &[u64]) -> String {
        self.panic(advice).message
    }

    /// The output of a native run.
    ///
    /// # Panics
    /// If the guest does.
    #[must_use]
    pub fn native_output(&self, advice: &[u64]) -> [u8; 32] {
        host::run(self.main, advice)
    }

    /// The message of the panic in which a native run ends.
    ///
    /// # Panics
    /// If it ends otherwise, or the message has arguments.
    #[must_use]
    pub fn native_panic_message(&self, advice: &[u64]) -> &'static str {
        let run = AssertUnwindSafe(|| self.native_output(advice));
        let payload = catch_unwind(run).expect_err("the guest panics");
        let message = payload.downcast_ref::<&str>();
        message.copied().expect("the message has no arguments")
    }

    /// The output of a run under QEMU, or nothing, and a word about it, if QEMU or GCC is absent.
    ///
    /// # Panics
    /// If they have to be there ([`test_tools`]), or the guest does not exit.
    #[must_use]
    pub fn output_under_qemu(&self, advice: &[u64]) -> Option<[u8; 32]> {
        qemu::output_of(self.elf, advice)
    }
}
