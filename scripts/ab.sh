#!/usr/bin/env bash
# Compares a change with its base: builds both, runs them in turns on this machine, and prints what moved.
#
#   scripts/ab.sh [--base COMMIT] [--rounds N] [--threshold PERCENT] PACKAGE BENCH [WORD...]
#   scripts/ab.sh [--base COMMIT] [--rounds N] [--threshold PERCENT] leanvm VERB [ARGUMENT...]
#
# PACKAGE and BENCH name a bench target (as `primitives kernels`), WORDs are contained in the names of its cases.
# `leanvm` is the command line, and what follows a call of it that proves (as `leanxmss --n 100`): a process for
# each pass, of which times, stages, memory, sizes and counts are compared.
#
# The change is this checkout as it is, uncommitted edits included; the base is COMMIT (main by default), checked
# out under target/ab. Each round runs the base and the change once, the first of them in turns, after one round
# that does not count. Printed is the ratio change / base of each time and of the memory: the mean over the rounds,
# its 95% interval, and whether that moved it by more than PERCENT (2 by default); and every count and size that is
# another.
source "$(dirname "$0")/common.sh"

base=main rounds=7 threshold=2
while [[ ${1:-} == --* ]]; do
    [[ $# -ge 2 ]] || die "$1 needs a value"
    case $1 in
    --base) base=$2 ;;
    --rounds) rounds=$2 ;;
    --threshold) threshold=$2 ;;
    *) die "$1 is no option" ;;
    esac
    shift 2
done
[[ $# -ge 2 ]] || die "name a package and one of its bench targets, or leanvm and what it is to do"
[[ $rounds =~ ^[0-9]+$ && $rounds -ge 2 ]] || die "--rounds is $rounds, and an interval needs at least 2"
package=$1 bench=$2
shift 2
command -v python3 >/dev/null || packages python3

ab=$target/ab
mkdir -p "$ab"
if [[ -d $ab/base ]]; then
    git -C "$ab/base" checkout --quiet --detach "$(git rev-parse "$base")"
else
    git worktree prune
    git worktree add --quiet --detach "$ab/base" "$base"
fi

# executable DIRECTORY TARGET_DIRECTORY: builds what is compared there and prints its path.
executable() {
    local build=(bench --no-run --package "$package" --bench "$bench")
    [[ $package != leanvm ]] || build=(build --release --package leanvm-cli)
    (cd "$1" && CARGO_TARGET_DIR=$2 cargo "${build[@]}" --quiet --message-format=json) |
        grep -o '"executable":"[^"]*"' | cut -d'"' -f4 | tail -n 1
}
base_program=$(executable "$ab/base" "$ab/base-target")
change_program=$(executable "$PWD" "$target")
[[ -x $base_program && -x $change_program ]] || die "$package $bench is not there on one of the sides"

export BENCH_REPEAT=${BENCH_REPEAT:-3}
results=$ab/results
rm -rf "$results" && mkdir "$results"
# measure SIDE PROGRAM ROUND [ARGUMENT...]
measure() {
    if [[ $package == leanvm ]]; then
        "$2" "$bench" "${@:4}" --json --tracing >"$results/$1.$3"
    else
        "$2" --bench --json "$results/$1.$3" "${@:4}" >/dev/null
    fi
}
for ((round = 0; round <= rounds; round++)); do
    echo "round $round of $rounds" >&2
    if ((round % 2)); then
        measure change "$change_program" "$round" "$@"
        measure base "$base_program" "$round" "$@"
    else
        measure base "$base_program" "$round" "$@"
        measure change "$change_program" "$round" "$@"
    fi
done

python3 scripts/ab_ratios.py "$results" "$rounds" "$threshold"
