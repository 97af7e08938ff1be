//! The guest, natively and on the machine.

use fibonacci_guest::fibonacci;
use leanvm_guest::host;

use crate::{advice, output};

#[test]
fn known_numbers() {
    for (n, value) in [(0, 0), (1, 1), (2, 1), (10, 55), (93, 12_200_160_415_121_876_738)] {
        assert_eq!(fibonacci(n), value, "F({n})");
    }
    // The first that does not fit 64 bits.
    assert_eq!(fibonacci(94), fibonacci(93).wrapping_add(fibonacci(92)));
    assert!(fibonacci(94) < fibonacci(93));
}

#[test]
fn a_native_run_has_the_expected_output() {
    for n in [0, 1, 50, 1000] {
        assert_eq!(host::run(fibonacci_guest::main, &advice(n)), output(n), "n = {n}");
    }
}
