//! What a leanVM guest links: start-up, reading advice, committing output, hashing and field instructions.
//!
//! A *guest* is a Rust program for `riscv64im-unknown-none-elf` whose run leanVM proves. It reads private
//! *advice* ([`read`], [`read_slice`]), checks it, and commits public words ([`commit`]); the run's output is
//! BLAKE2s of all that it committed. A failed check is a panic: then there is no output and no proof. The
//! statement says nothing of the advice, so a guest checks whatever it reads.
//!
//! A guest is a library of checks and a `main.rs` of three lines:
//!
//! ```
//! #![cfg_attr(target_os = "none", no_std, no_main)]
//!
//! leanvm_guest::entry!(square, advice_words = 4, stack_words = 512);
//!
//! fn square() {
//!     let n = leanvm_guest::read::<u64>();
//!     leanvm_guest::commit(&n.wrapping_mul(*n));
//! }
//! ```
//!
//! Off the machine everything has a portable implementation and `entry!` makes an empty `main`, so guests
//! build and test natively; [`host::run`] runs a whole guest natively on given advice.
//!
//! - [`blake2s`]: hashing, each compression one instruction: one-shot, streaming, and in place for chains,
//!   trees and long messages.
//! - [`keccak`]: the permutation of SHA-3 and its relatives, in ordinary instructions.
//! - [`ext`]: the fields GF(2^64) and its extension of degree three, a product an instruction.
//! - [`Words`]: what may be read and committed; [`words!`] declares structs of it.
//! - [`host`]: for hosts (not on the machine): a guest's expected output, and native runs.
//!
//! It imports nothing. Features: `alloc` (a bump allocator, sized by `heap_words`), `panic_fmt` (panic
//! messages with their arguments; makes the program much larger).

#![no_std]

#[cfg(target_endian = "big")]
compile_error!("the machine is little-endian, and so must be the host of its guests' libraries");

#[cfg(not(target_os = "none"))]
extern crate std;

mod advice;
pub mod blake2s;
mod entry;
pub mod ext;
#[cfg(all(target_os = "none", feature = "alloc"))]
mod heap;
pub mod hint;
#[cfg(not(target_os = "none"))]
pub mod host;
pub mod keccak;
mod output;
#[cfg(target_os = "none")]
mod panic;
#[cfg(target_os = "none")]
mod single;
#[cfg(target_os = "none")]
#[doc(hidden)]
pub mod start;
mod words;

pub use advice::{read, read_slice};
pub use output::commit;
pub use words::Words;
