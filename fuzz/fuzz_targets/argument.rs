//! Any bytes as the proof of a machine give an error, and so does a changed honest one.

#![no_main]

use std::sync::LazyLock;

use leanvm_fuzz::Subject;
use leanvm_fuzz::argument::{Argument, subject};
use libfuzzer_sys::fuzz_target;

static SUBJECT: LazyLock<Subject<Argument>> = LazyLock::new(subject);

fuzz_target!(|bytes: &[u8]| SUBJECT.try_bytes(bytes));
