#!/usr/bin/env bash
# Compares a change with its base: builds both, runs them in turns on this machine, and prints what moved.
#
#   scripts/ab.sh [--base COMMIT] [--rounds N] [--threshold PERCENT] PACKAGE BENCH [ARGUMENT...]
#
# PACKAGE and BENCH name a bench target (as `primitives kernels`), ARGUMENT its arguments (words that the names
# of cases contain). The change is this checkout as it is, uncommitted edits included; the base is COMMIT
# (main by default), checked out under target/ab. Each round runs the base and the change once, the first of
# them in turns, after one round that does not count. Printed is the ratio change / base of each case's
# latency: the mean over the rounds, its 95% interval, and whether that moved it by more than PERCENT (2 by default).
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
[[ $# -ge 2 ]] || die "name a package and one of its bench targets"
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

# executable DIRECTORY TARGET_DIRECTORY: builds the bench target there and prints its path.
executable() {
    (cd "$1" && CARGO_TARGET_DIR=$2 cargo bench --quiet --no-run --message-format=json --package "$package" --bench "$bench") |
        grep -o '"executable":"[^"]*"' | cut -d'"' -f4
}
base_bench=$(executable "$ab/base" "$ab/base-target")
change_bench=$(executable "$PWD" "$target")
[[ -x $base_bench && -x $change_bench ]] || die "$package has no bench target $bench on one of the sides"

export BENCH_REPEAT=${BENCH_REPEAT:-3}
results=$ab/results
rm -rf "$results" && mkdir "$results"
measure() {
    "$2" --bench --json "$results/$1.$3" "${@:4}" >/dev/null
}
for ((round = 0; round <= rounds; round++)); do
    echo "round $round of $rounds" >&2
    if ((round % 2)); then
        measure change "$change_bench" "$round" "$@"
        measure base "$base_bench" "$round" "$@"
    else
        measure base "$base_bench" "$round" "$@"
        measure change "$change_bench" "$round" "$@"
    fi
done

python3 scripts/ab_ratios.py "$results" "$rounds" "$threshold"
