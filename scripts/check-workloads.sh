#!/usr/bin/env bash
# One proof of each workload, of its smallest size, verified by both verifiers. Both must read the output that the
# prover announced, and which it compared with what the program's own library computes.
source "$(dirname "$0")/common.sh"

cargo build --quiet --release --package leanvm-cli
leanvm=$target/release/leanvm
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT

# The value of a line of a report.
value() {
    sed -n "s/^$1 : //p"
}

while read -r workload option; do
    proof=$directory/$workload.proof
    output=$("$leanvm" "$workload" "$option" 1 --log-inv-rate 2 --proof "$proof" | value output)
    rust=$("$leanvm" verify "$workload" --proof "$proof" | value output)
    python=$(cd python-verifier && python3 -B -m leanvm_verifier "../programs/$workload/$workload.elf" "$proof" | value output)
    [[ -n $output && $rust == "$output" && $python == "$output" ]] ||
        die "$workload: the prover says ${output:-nothing}, Rust ${rust:-nothing}, Python ${python:-nothing}"
    echo "$workload $option 1: $output"
done <<<"leanxmss --n
leanda --blobs
leansphincs --n
falcon --n
shielded --n
stateproof --n"
