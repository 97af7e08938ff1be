#!/usr/bin/env bash
# Fails on code that `cargo fmt` would change: the workspace's, and the packages' outside of it.
source "$(dirname "$0")/common.sh"

cargo fmt --all --check
for manifest in tests/bare_metal/Cargo.toml fuzz/Cargo.toml; do
    cargo fmt --manifest-path "$manifest" --check
done
