#!/usr/bin/env bash
# Verifying without proving: every crate that has the feature `prover` is linted and built without it, alone
# (a build of the workspace would unify features), has no thread pool then, and builds for a target without
# an operating system, where only `core` and `alloc` exist.
source "$(dirname "$0")/common.sh"

thread_pool='^rayon'
no_system=x86_64-unknown-none

crates=$(verify_only_crates)
[[ -n $crates ]] || die "no crate has the feature prover: this check has lost its subject"

has_thread_pool() {
    cargo tree --quiet --package "$@" --edges normal --prefix none | grep --quiet "$thread_pool"
}

bare=()
for crate in primitives $crates; do
    has_thread_pool "$crate" || die "$crate has no thread pool by default either: this check looks for the wrong name"
    ! has_thread_pool "$crate" --no-default-features || die "$crate without default features depends on a thread pool"
    cargo clippy --quiet --package "$crate" --no-default-features --all-targets -- -D warnings
    cargo build --quiet --package "$crate" --no-default-features
    bare+=(--package "$crate")
    echo "$crate: verify-only"
done
debian_cargo build --quiet -Z build-std=core,alloc --target "$no_system" --target-dir "$target/no-system" \
    "${bare[@]}" --no-default-features
echo "$no_system: built"
