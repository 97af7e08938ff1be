//! Puts the directory of `leanvm.ld` on the linker's search path, so that `-Tleanvm.ld` finds it.

fn main() {
    let directory = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    println!("cargo::rustc-link-search=native={directory}");
    println!("cargo::rerun-if-changed=leanvm.ld");
}
