#!/usr/bin/env bash
# Builds the guests and writes programs/<p>/<p>.elf and its stamp programs/<p>/<p>.stamp.
#
#   programs/build.sh [--rustup TOOLCHAIN] [--out DIRECTORY] [PROGRAM...]
#   programs/build.sh --sources PROGRAM
#
# Without names it builds every program. `core` is built from source, which needs the library's source beside
# the compiler and unstable options: by default Debian's compiler (packages rustc-web, cargo-web,
# rust-web-src and lld), which the checked-in files come from; with --rustup a nightly that has the component
# rust-src. The bytes depend on the compiler and the sources alone, not on the paths.
#
# --out      writes DIRECTORY/<p>.elf, and no stamps
# --sources  only prints the hash of all that the program's bytes depend on besides the compiler
set -euo pipefail
export LC_ALL=C

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
cd "$root"

target=riscv64im-unknown-none-elf
cargo=(/usr/bin/cargo)
rustc=(/usr/bin/rustc)
linker=ld.lld
out=

sha256() { if command -v sha256sum >/dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi; }

# One hash over the names and contents of the SDK, the guest and this script.
sources() {
    find crates/leanvm_guest/{Cargo.toml,build.rs,leanvm.ld,src} "programs/$1/guest" programs/build.sh \
        -type f ! -path '*/target/*' -print | sort | while read -r file; do sha256 "$file"; done |
        sha256 | cut -d' ' -f1
}

fail() {
    echo "build.sh: $1" >&2
    exit 2
}

while [ $# -gt 0 ]; do
    case $1 in
    --rustup)
        [ $# -ge 2 ] || fail "--rustup needs the name of a toolchain"
        cargo=(rustup run "$2" cargo)
        rustc=(rustup run "$2" rustc)
        linker=rust-lld
        shift 2
        ;;
    --out)
        [ $# -ge 2 ] || fail "--out needs a directory"
        mkdir -p "$2"
        out=$(cd "$2" && pwd -P)
        shift 2
        ;;
    --sources)
        [ $# -eq 2 ] && [ -d "programs/$2/guest" ] || fail "--sources needs the name of one program"
        sources "$2"
        exit 0
        ;;
    -*) fail "unknown option $1" ;;
    *) break ;;
    esac
done

programs=("$@")
if [ ${#programs[@]} -eq 0 ]; then
    for directory in programs/*/guest; do
        programs+=("$(basename "$(dirname "$directory")")")
    done
fi
packages=()
for program in "${programs[@]}"; do
    [ -d "programs/$program/guest" ] || fail "there is no program $program (no directory programs/$program/guest)"
    packages+=(-p "${program}_guest")
done

version=$("${rustc[@]}" --version) ||
    fail "no compiler for guests: install rustc-web, cargo-web, rust-web-src and lld (Debian), or use --rustup nightly"
library=$("${rustc[@]}" --print sysroot)/lib/rustlib/src/rust
[ -d "$library/library" ] || fail "the source of core is missing ($library): install rust-web-src, or rustup's rust-src"

flags=(
    -Clinker="$linker" -Clinker-flavor=ld.lld -Clink-arg=-Tleanvm.ld -Clink-arg=--build-id=none -Clink-arg=--discard-locals
    -Clink-arg=--no-rosegment -Clink-arg=-zmax-page-size=8
    "--remap-path-prefix=$root=." "--remap-path-prefix=$library=/rust"
    "--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo"
)
separator=$'\x1f'
encoded=$(printf "%s$separator" "${flags[@]}")
target_directory=${CARGO_TARGET_DIR:-$root/target}/guests

# Cargo locks the target directory, so that two builds at once wait for one another.
PATH=/usr/bin:$PATH \
    RUSTC=$([ "${cargo[0]}" = rustup ] && "${cargo[@]:0:3}" which rustc 2>/dev/null || echo "${rustc[0]}") \
    RUSTC_BOOTSTRAP=1 \
    CARGO_ENCODED_RUSTFLAGS=${encoded%"$separator"} \
    CARGO_PROFILE_RELEASE_OPT_LEVEL=3 \
    CARGO_PROFILE_RELEASE_LTO=fat \
    CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1 \
    CARGO_PROFILE_RELEASE_PANIC=abort \
    CARGO_PROFILE_RELEASE_DEBUG=false \
    CARGO_PROFILE_RELEASE_STRIP=debuginfo \
    CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS=false \
    "${cargo[@]}" build --release --quiet --locked --bins -Z build-std=core,alloc \
    --target "$target" --target-dir "$target_directory" "${packages[@]}"

# A file appears whole or not at all.
put() {
    local temporary
    temporary=$(mktemp "$2.XXXXXX")
    cat "$1" >"$temporary"
    chmod 644 "$temporary"
    mv -f "$temporary" "$2"
}

for program in "${programs[@]}"; do
    built=$target_directory/$target/release/$program
    if [ -n "$out" ]; then
        put "$built" "$out/$program.elf"
    else
        put "$built" "programs/$program/$program.elf"
        put <(printf 'compiler %s\nsources %s\n' "$version" "$(sources "$program")") "programs/$program/$program.stamp"
    fi
done
