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

cd python-verifier
python3 -B -m unittest discover
python3 -B -m tests.agreement "$LEANVM_CORPUS" "$seconds"
