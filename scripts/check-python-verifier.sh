#!/usr/bin/env bash
# Runs the tests of the verifier in Python, with the data files of the crates.
source "$(dirname "$0")/common.sh"

cd python-verifier
python3 -B -m unittest discover
