#!/usr/bin/env bash
# Builds everything for 64-bit ARM with warnings denied, and runs the tests of the kernels under QEMU. The
# standard library is built from source.
source "$(dirname "$0")/common.sh"

packages gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="qemu-aarch64-static -L /usr/aarch64-linux-gnu"

arm() {
    debian_cargo "$1" --quiet -Z build-std --target aarch64-unknown-linux-gnu --target-dir "$target/arm" "${@:2}"
}
arm build --workspace
arm test --package primitives --lib -- "$@"
