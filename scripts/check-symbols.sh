#!/usr/bin/env bash
# Kernels must become instructions: a vector intrinsic that is left standing as a function means that code lost
# its target features on the way, which costs a factor of ten and fails no test. This lists the symbols of
# release binaries that contain every kernel, and fails on such a function.
#
#   scripts/check-symbols.sh             builds and checks the binaries
#   scripts/check-symbols.sh BINARY...   checks these
source "$(dirname "$0")/common.sh"

# Not vector code: asking the CPU what it has.
allowed='core::core_arch::x86::(cpuid::__cpuid(_count)?|xsave::_xgetbv)$'

# standing BINARY: the intrinsics that are functions of their own.
standing() {
    # Symbols first in a file: a reader that ends early would make nm fail.
    nm --demangle --defined-only "$1" >"$listing" || die "$1 has no readable symbols"
    grep --quiet ' [Tt] ' "$listing" || die "$1 has no symbols: it is stripped, so it cannot be checked"
    sed -E 's/^[0-9a-f]+ [a-zA-Z] //; s/::h[0-9a-f]{16}$//' "$listing" | grep -E '^<?core::core_arch::' | grep -Ev "$allowed" | sort -u || true
}

# Shows that the check sees what it is for: an intrinsic called where its features are missing.
check_the_check() {
    local sample=$scratch/sample
    cat >"$sample.rs" <<'SAMPLE'
use std::arch::x86_64::{__m256i, _mm256_setzero_si256, _mm256_xor_si256};
#[inline(never)]
fn without_features(a: __m256i) -> __m256i { unsafe { _mm256_xor_si256(a, _mm256_setzero_si256()) } }
fn main() { std::hint::black_box(without_features(std::hint::black_box(unsafe { std::mem::zeroed() }))); }
SAMPLE
    rustc --edition 2024 -C opt-level=3 -o "$sample" "$sample.rs"
    [[ $(standing "$sample") == *_mm256_xor_si256* ]] || die "a sample with a standing intrinsic passes this check"
}

# executables ARGUMENT...: what cargo builds for these arguments.
executables() {
    cargo build --quiet --release --message-format=json "$@" | grep -o '"executable":"[^"]*"' | cut -d'"' -f4
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
listing=$scratch/symbols

binaries=("$@")
if ((${#binaries[@]} == 0)); then
    [[ $(uname -m) == x86_64 ]] || die "the sample and the expected instructions are those of x86-64"
    packages binutils
    check_the_check
    kernels=$(executables --package primitives --bench kernels)
    [[ -n $kernels ]] || die "the bench target kernels of primitives was not built"
    # The binary must contain what is looked for: the widest instructions of every back end.
    objdump --disassemble --no-show-raw-insn "$kernels" >"$scratch/code"
    for instruction in 'vpclmul[a-z]*dq.*%zmm' 'vpclmul[a-z]*dq.*%ymm' 'pclmul[a-z]*dq.*%xmm' 'vgf2p8mulb.*%zmm'; do
        grep -Eq "$instruction" "$scratch/code" || die "$kernels has no instruction $instruction: it does not contain the kernels"
    done
    binaries=("$kernels" "$(executables --package leanvm-cli --bin leanvm)")
fi

for binary in "${binaries[@]}"; do
    found=$(standing "$binary")
    [[ -z $found ]] || die "$binary has intrinsics as functions: enclose their callers in a dispatch, and inline them:
$found"
    echo "${binary##*/}: no intrinsic is a function"
done
