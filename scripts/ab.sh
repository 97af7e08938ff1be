#!/usr/bin/env bash
# Compares a change with its base: builds both, runs them in turns on this machine, and prints what moved.
#
#   scripts/ab.sh [OPTION...] CASE
#   scripts/ab.sh [OPTION...] leanvm VERB [ARGUMENT...]
#   scripts/ab.sh [OPTION...] PACKAGE BENCH [WORD...]
#
# CASE is one of `leanvm bench`, in one word (as "leanxmss 100"). `leanvm` is the command line, and what follows a call
# of it that proves (as `aggregate --leaves 2`). Of both times, stages, memory, sizes and counts are compared, a process
# for each pass. PACKAGE and BENCH name a bench target (as `primitives kernels`), WORDs are contained in the names of its
# cases. An OPTION is `--base COMMIT`, `--rounds N` or `--threshold PERCENT`, and may stand anywhere.
#
# The change is this checkout as it is, uncommitted edits included; the base is COMMIT (main by default), checked
# out under target/ab. Each round runs the base and the change once, the first of them in turns, after one round
# that does not count. Printed is the ratio change / base of each time and of the memory: the mean over the rounds,
# its 95% interval, and whether that moved it by more than PERCENT (2 by default); and every count and size that is
# another.
source "$(dirname "$0")/common.sh"

base=main rounds=7 threshold=2 what=()
while (($#)); do
    case $1 in
    --base | --rounds | --threshold)
        [[ $# -ge 2 ]] || die "$1 needs a value"
        printf -v "${1#--}" %s "$2"
        shift
        ;;
    -*)
        ((${#what[@]})) || die "$1 is no option"
        what+=("$1")
        ;;
    *) what+=("$1") ;;
    esac
    shift
done
((${#what[@]})) || die "name a case, or leanvm and what it is to do, or a package and one of its bench targets"
((${#what[@]} > 1)) || what=(leanvm bench --only "${what[0]}")
[[ $rounds =~ ^[0-9]+$ && $rounds -ge 2 ]] || die "--rounds is $rounds, and an interval needs at least 2"
[[ $threshold =~ ^[0-9]+([.][0-9]+)?$ ]] || die "--threshold is $threshold, and no percentage"
commit=$(git rev-parse --quiet --verify "$base^{commit}") || die "--base is $base, and no commit"
command -v python3 >/dev/null || packages python3

ab=$target/ab
mkdir -p "$ab"
# Where there is no worktree, git would take the checkout around it.
if [[ ! -e $ab/base/.git ]] || ! git -C "$ab/base" checkout --quiet --detach "$commit"; then
    rm -rf "$ab/base"
    git worktree prune
    git worktree add --quiet --detach "$ab/base" "$commit"
fi

if [[ ${what[0]} == leanvm ]]; then
    build=(build --release --package leanvm-cli)
else
    build=(bench --no-run --package "${what[0]}" --bench "${what[1]}")
fi
# executable DIRECTORY TARGET_DIRECTORY: builds what is compared there and prints its path.
executable() {
    (cd "$1" && CARGO_TARGET_DIR=$2 cargo "${build[@]}" --quiet --message-format=json) |
        grep -o '"executable":"[^"]*"' | cut -d'"' -f4 | tail -n 1
}
base_program=$(executable "$ab/base" "$ab/base-target") || die "the base has no ${what[*]:0:2}"
change_program=$(executable "$PWD" "$target") || die "the change has no ${what[*]:0:2}"

export BENCH_REPEAT=${BENCH_REPEAT:-3}
results=$ab/results
rm -rf "$results" && mkdir "$results"
# measure SIDE PROGRAM ROUND
measure() {
    if [[ ${what[0]} == leanvm ]]; then
        "$2" "${what[@]:1}" --json --tracing >"$results/$1.$3"
    else
        "$2" --bench --json "$results/$1.$3" "${what[@]:2}" >/dev/null
    fi
}
for ((round = 0; round <= rounds; round++)); do
    echo "round $round of $rounds" >&2
    if ((round % 2)); then
        measure change "$change_program" "$round"
        measure base "$base_program" "$round"
    else
        measure base "$base_program" "$round"
        measure change "$change_program" "$round"
    fi
done

python3 scripts/ab_ratios.py "$results" "$rounds" "$threshold"
