#!/usr/bin/env bash
# The exact counts of all benchmark cases, and of the trees over them, are those of bins/leanvm/counts.txt.
#
#   scripts/check-counts.sh [--update]
#
# With --update the file becomes what this checkout counts; the difference says what moved either way.
source "$(dirname "$0")/common.sh"

counts=bins/leanvm/counts.txt
(($# == 0)) || [[ $* == --update ]] || die "$* is no option: there is --update"
cargo build --quiet --release --package leanvm-cli
found=$(mktemp)
trap 'rm -f "$found"' EXIT
"$target/release/leanvm" bench --cycles-only >"$found"
[[ $(wc -l <"$found") -gt 1 ]] || die "nothing is counted: this check has lost its subject"

# Widths of columns follow the widest cell, so blanks do not count; the lines before and after are enough to read it.
if difference=$(diff --ignore-space-change --unified=0 --label "checked in" --label "counted" "$counts" "$found"); then
    echo "$(($(wc -l <"$found") - 1)) counts are those that are checked in"
    exit
fi
head -n 1 "$found"
grep -v '^@@' <<<"$difference"
if [[ ${1:-} == --update ]]; then
    cp "$found" "$counts"
    echo "$counts is written"
else
    die "the counts are others than those of $counts: if they are meant to be, run $0 --update and say why in the commit"
fi
