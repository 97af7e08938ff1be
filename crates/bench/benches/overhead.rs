//! What this crate itself adds to a figure: the cost of a timed call that does nothing.

use bench::{Target, Work};

fn main() {
    let mut target = Target::from_args("overhead");
    target.case(
        "empty call",
        Work::PerCall {
            calls: 1,
            what: "call",
        },
        || (),
    );
    target.finish();
}
