//! `leanvm disasm`: a program as assembly text.

use std::io::{self, Write};

use rv::{Program, program::slot_pc};

use crate::{exit::Failure, input::program::ProgramArguments, report::Report};

/// Shows a program as assembly text, with the class of each instruction.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    program: ProgramArguments,
}

pub(crate) fn run(arguments: &Arguments, report: &mut Report<impl Write>) -> Result<(), Failure> {
    let program = arguments.program.load()?;
    match list(&program, report) {
        // Whoever reads may stop at the lines that he wants.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result?),
    }
}

fn list(program: &Program, report: &mut Report<impl Write>) -> io::Result<()> {
    let mut symbols = program.symbols().as_slice().iter().peekable();
    for (slot, (word, entry)) in program.text().iter().zip(program.table().entries()).enumerate() {
        let pc = slot_pc(slot);
        while let Some(symbol) = symbols.next_if(|symbol| symbol.address <= pc) {
            if symbol.address == pc {
                report.text(&format!("\n{pc:08x} <{}>:\n", symbol.name))?;
            }
        }
        let class = entry.class.map_or("-", |class| class.name());
        let text = program.describe(pc).unwrap_or_default();
        report.text(&format!("{pc:8x}:  {word:08x}  {class:<6}  {text}\n"))?;
    }
    Ok(())
}
