#!/usr/bin/env bash
# Fails on a dependency that a package names and does not use.
source "$(dirname "$0")/common.sh"

tool cargo-machete "$cargo_machete_version"
cargo-machete --skip-target-dir
