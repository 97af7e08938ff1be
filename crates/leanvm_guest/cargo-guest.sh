#!/usr/bin/env bash
# Runs cargo for guests, in the current directory, which is the root of their workspace.
#
#   cargo-guest.sh [--rustup TOOLCHAIN] build ARGUMENT...    cargo build for the machine
#   cargo-guest.sh [--rustup TOOLCHAIN] compiler             prints the compiler's version
#
# `core` is built from source, which needs the library's source beside the compiler and unstable options. The
# compiler is Debian's (packages rustc-web, cargo-web, rust-web-src and lld) where it is there, else rustup's
# nightly with the component rust-src. The bytes of a program depend on the compiler and the sources, not on
# paths.
set -euo pipefail
export LC_ALL=C

fail() {
    echo "cargo-guest.sh: $1" >&2
    exit 2
}

target=riscv64im-unknown-none-elf
toolchain=
if [ "${1:-}" = --rustup ]; then
    [ $# -ge 2 ] || fail "--rustup needs the name of a toolchain"
    toolchain=$2
    shift 2
fi

# Whether a compiler knows the target and has the source of core.
usable() {
    "$@" --print target-list 2>/dev/null | grep -qx "$target" &&
        [ -d "$("$@" --print sysroot)/lib/rustlib/src/rust/library" ]
}

if [ -z "$toolchain" ] && usable /usr/bin/rustc && [ -x /usr/bin/cargo ] && command -v ld.lld >/dev/null; then
    cargo=/usr/bin/cargo
    rustc=/usr/bin/rustc
    linker=ld.lld
    # Before rustup's shims, for what cargo itself starts.
    PATH=/usr/bin:$PATH
else
    toolchain=${toolchain:-nightly}
    cargo=$(rustup which --toolchain "$toolchain" cargo 2>/dev/null) &&
        rustc=$(rustup which --toolchain "$toolchain" rustc 2>/dev/null) && usable "$rustc" ||
        fail "no compiler for $target with the source of core: install Debian's rustc-web (1.96 or later), cargo-web,
rust-web-src and lld, or run: rustup toolchain install nightly --component rust-src"
    linker=rust-lld
fi

case ${1:-} in
compiler) exec "$rustc" --version ;;
build) shift ;;
*) fail "the first argument must be build or compiler" ;;
esac

# Links by the SDK's script, found through the search path that its build script prints.
flags=(
    -Clinker="$linker" -Clinker-flavor=ld.lld -Clink-arg=-Tleanvm.ld -Clink-arg=--build-id=none
    -Clink-arg=--discard-locals -Clink-arg=--no-rosegment -Clink-arg=-zmax-page-size=8
    "--remap-path-prefix=$(pwd -P)=."
    "--remap-path-prefix=$("$rustc" --print sysroot)/lib/rustlib/src/rust=/rust"
    "--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo"
)
separator=$'\x1f'
encoded=$(printf "%s$separator" "${flags[@]}")

export RUSTC=$rustc RUSTC_BOOTSTRAP=1 CARGO_ENCODED_RUSTFLAGS=${encoded%"$separator"}
export CARGO_PROFILE_RELEASE_OPT_LEVEL=3 CARGO_PROFILE_RELEASE_LTO=fat CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1
export CARGO_PROFILE_RELEASE_PANIC=abort CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS=false
export CARGO_PROFILE_RELEASE_DEBUG=false CARGO_PROFILE_RELEASE_STRIP=debuginfo
exec "$cargo" build --release --bins -Z build-std=core,alloc --target "$target" "$@"
