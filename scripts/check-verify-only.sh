#!/usr/bin/env bash
# Verifying without proving: every crate that has the feature `prover` is linted and built without it, alone
# (a build of the workspace would unify features), and has no thread pool then.
source "$(dirname "$0")/common.sh"

thread_pool='^rayon'

crates=$(verify_only_crates)
[[ -n $crates ]] || die "no crate has the feature prover: this check has lost its subject"

has_thread_pool() {
    # All of it is read: a reader that ends early would make cargo fail, which is not the answer no.
    local tree
    tree=$(cargo tree --quiet --package "$@" --edges normal --prefix none) || die "cargo tree fails for $*"
    grep --quiet "$thread_pool" <<<"$tree"
}

for crate in primitives $crates; do
    has_thread_pool "$crate" || die "$crate has no thread pool by default either: this check looks for the wrong name"
    ! has_thread_pool "$crate" --no-default-features || die "$crate without default features depends on a thread pool"
    # The library alone: tests of verifiers prove first.
    cargo clippy --quiet --package "$crate" --no-default-features --lib -- -D warnings
    cargo build --quiet --package "$crate" --no-default-features
    echo "$crate: verify-only"
done
