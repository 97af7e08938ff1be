//! The guest, natively and on the machine.

use crate::output;

#[test]
fn a_native_run_has_the_expected_output() {
    assert_eq!(leanvm_guest::host::run(numbers_guest::main, &[]), output());
}
