//! The witnesses of the guests' programs.

use leanvm_core::machine::machine;
use rv::elf;

use super::witness::{LEAST, checked};

/// Compares the witness of a run with the one that the definitions give, and its output.
fn assert_witness(elf: &[u8], advice: &[u64], output: [u8; 32]) {
    let program = elf::load(elf).unwrap();
    let machine = machine(program.public());
    let witness = checked(&machine, &program, advice, LEAST).unwrap();
    let announced = witness.announced.iter().flat_map(|word| word.to_le_bytes());
    assert_eq!(announced.take(32).collect::<Vec<u8>>(), output);
}

#[test]
fn fibonacci() {
    assert_witness(
        fibonacci_host::ELF,
        &fibonacci_host::advice(1000),
        fibonacci_host::output(1000),
    );
}

#[test]
fn hash() {
    assert_witness(hash_host::ELF, &hash_host::advice(1000), hash_host::output(1000));
}

#[test]
fn numbers() {
    assert_witness(numbers_host::ELF, &[], numbers_host::output());
}

#[test]
fn leanxmss() {
    let entries = leanxmss_host::benchmark_entries(2).unwrap();
    let claims = entries.iter().map(|entry| &entry.claim);
    let output = leanxmss_host::output(claims);
    let advice = leanxmss_host::advice(&entries).unwrap();
    assert_witness(leanxmss_host::ELF, &advice, output);
}
