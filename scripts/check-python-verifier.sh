#!/usr/bin/env bash
# Runs the tests of the verifier in Python, with the data files of the crates. Then holds it to the verdicts of the
# verifier in Rust, on the proofs that the tests of leanvm_core make: those in LEANVM_CORPUS, or else new ones.
#
#   scripts/check-python-verifier.sh [SECONDS]    after which no further proofs are tried, 120 by default
source "$(dirname "$0")/common.sh"

seconds=${1:-120}
if [[ -z ${LEANVM_CORPUS:-} ]]; then
    LEANVM_CORPUS=$(realpath -m "$target/corpus")
    export LEANVM_CORPUS
    rm -rf "$LEANVM_CORPUS"
    cargo test --quiet --package leanvm_core --test forgeries --test machine --test manifest
fi

# A tree of two leaves to a node, and the roots over its first leaf and over three.
LEANVM_TREE=$(realpath -m "$target/python-tree")
export LEANVM_TREE
rm -rf "$LEANVM_TREE"
mkdir -p "$LEANVM_TREE"
cp programs/fibonacci/fibonacci.elf "$LEANVM_TREE/program"
step() { cargo leanvm tree "$1" --program fibonacci "${@:2}"; }
(
    files=$LEANVM_TREE
    step leaf --advice 7 -o "$files/leaf0" | tee "$files/reports"
    step key --leaf "$files/leaf0" -o "$files/key"
    step circuits --key "$files/key" -o "$files/circuits"
    for n in 1 2; do
        step leaf --advice $((7 + n)) --key "$files/key" -o "$files/leaf$n" | tee -a "$files/reports"
    done
    sed -n 's/^output : //p' "$files/reports" >"$files/outputs"
    join() { step join --key "$files/key" "$@"; }
    join "$files/leaf0" -o "$files/root1"
    join "$files/leaf0" "$files/leaf1" -o "$files/node0"
    join "$files/leaf2" -o "$files/node1"
    join "$files/node0" "$files/node1" -o "$files/root3"
) >/dev/null

cd python-verifier
python3 -B -m unittest discover
python3 -B -m tests.agreement "$LEANVM_CORPUS" "$seconds"
