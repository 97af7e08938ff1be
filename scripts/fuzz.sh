#!/usr/bin/env bash
# Builds every fuzz target on the stable compiler and runs each on its seeds and from there on its own.
#
#   scripts/fuzz.sh [RUNS [TARGET...]]    inputs tried of each target, 50000 by default; every target by default
#
# A target that is not through after FUZZ_SECONDS (40 by default) ends there: verifying a proof takes milliseconds.
source "$(dirname "$0")/common.sh"

runs=${1:-50000} seconds=${FUZZ_SECONDS:-40}
targets=("${@:2}")

packages g++
tool cargo-fuzz "$cargo_fuzz_version"
# Debug assertions are on. Sanitizers and coverage are unstable flags, which this allows.
export RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=$target/fuzz

if ((${#targets[@]} == 0)); then
    mapfile -t targets < <(cargo fuzz list)
fi
((${#targets[@]})) || die "there is no fuzz target: this check has lost its subject"
cargo fuzz build

new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT
for name in "${targets[@]}"; do
    seeds=fuzz/seeds/$name
    [[ -d $seeds && -n $(ls "$seeds") ]] || die "$seeds holds no seed: a target starts from valid inputs"
    mkdir "$new/$name"
    # What is found goes to the first directory, so that the seeds stay as they are.
    cargo fuzz run "$name" "$new/$name" "$seeds" -- -runs="$runs" -max_total_time="$seconds" -seed=1 -timeout=10 -verbosity=0 -print_final_stats=1
done
