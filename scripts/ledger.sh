#!/usr/bin/env bash
# The stage ledger of doc/performance.md, measured on this machine at one thread, as Markdown.
#
#   scripts/ledger.sh [CALL...]
#
# CALL is a call of the command line that proves, in one word (as "leanxmss --n 100"); those of the document by
# default. Each is proven LEDGER_REPEAT times (3) after a warm-up; the stages are those of the last pass. Of
# `aggregate` it is both kinds of nodes that are measured, each over two children.
source "$(dirname "$0")/common.sh"
command -v python3 >/dev/null || packages python3

calls=("$@")
((${#calls[@]})) || calls=(
    "leanxmss --n 100"
    "leanxmss --n 100 --log-inv-rate 2"
    "fibonacci --n 200000"
    "guest hash --advice 50000"
    "aggregate --leaves 2"
)

export LEANVM_NUM_THREADS=1
ledger=$target/ledger
mkdir -p "$ledger"
cargo build --quiet --release --package leanvm-cli
for bench in kernels hash; do
    BENCH_REPEAT=3 cargo bench --quiet --package primitives --bench "$bench" -- --json "$ledger/$bench" "dot product" "map of a byte" "64 bytes" >/dev/null
done
for i in "${!calls[@]}"; do
    read -ra words <<<"${calls[i]}"
    "$target/release/leanvm" "${words[@]}" --tracing --repeat "${LEDGER_REPEAT:-3}" >"$ledger/call.$i"
    parts=("")
    [[ ${words[0]} != aggregate ]] || parts=("first-level node" "node")
    for part in "${parts[@]}"; do
        python3 scripts/ledger.py "$ledger" "$ledger/call.$i" "${calls[i]}" "$part"
    done
done
