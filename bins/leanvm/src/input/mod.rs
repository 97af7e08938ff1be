//! What verbs take: a program, its advice.

pub(crate) mod advice;
pub(crate) mod program;

use std::io;

use crate::exit::Exit;

/// The exit code of a file that could not be read: a wrong name is bad input, the rest is not the user's.
pub(crate) fn exit_of(error: &io::Error) -> Exit {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::IsADirectory | io::ErrorKind::NotADirectory => {
            Exit::BadInput
        }
        _ => Exit::Io,
    }
}
