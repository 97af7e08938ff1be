//! Any bytes as the proof of a node give an error, and so does a changed honest one.

#![no_main]

use std::sync::LazyLock;

use leanvm_fuzz::tree::{Node, subject};
use libfuzzer_sys::fuzz_target;

static SUBJECT: LazyLock<Node> = LazyLock::new(subject);

fuzz_target!(|bytes: &[u8]| SUBJECT.try_bytes(bytes));
