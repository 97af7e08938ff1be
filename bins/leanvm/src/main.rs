//! The command line of leanVM: all of it is the library of this package.

use std::process::ExitCode;

fn main() -> ExitCode {
    leanvm_cli::main()
}
