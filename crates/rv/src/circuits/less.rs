//! `lt = [a < b]` on unsigned words. Inputs a, b; the output word is `lt + x`, since the constant wire stands at
//! its bit 1: forms that want lt add x.

use circuit::{Builder, Circuit};

/// Three ports, and the 64 products of the borrows: 256 positions.
pub(super) fn circuit() -> Circuit {
    let mut builder = Builder::new();
    let (a, b) = (builder.input(), builder.input());
    let less = builder.less(&a, &b);
    let port = builder.output(&[less]);
    builder.constant_at(port, 1);
    builder.build()
}

pub(super) const fn reference(a: u64, b: u64) -> u64 {
    (a < b) as u64 | 2
}
