//! The command line of leanVM.

fn main() {}
