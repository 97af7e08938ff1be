#!/usr/bin/env bash
# Builds the guests and writes programs/<p>/<p>.elf and its stamp programs/<p>/<p>.stamp.
#
#   programs/build.sh [--rustup TOOLCHAIN] [--out DIRECTORY] [PROGRAM...]
#   programs/build.sh --sources PROGRAM
#
# Without names it builds every program. The compiler is chosen by crates/leanvm_guest/cargo-guest.sh; the
# checked-in files come from Debian's.
#
# --out      writes DIRECTORY/<p>.elf, and no stamps
# --sources  only prints the hash of all that the program's bytes depend on besides the compiler
set -euo pipefail
export LC_ALL=C

cd "$(dirname "${BASH_SOURCE[0]}")/.."
sdk=crates/leanvm_guest
cargo=("$sdk/cargo-guest.sh")
out=

fail() {
    echo "build.sh: $1" >&2
    exit 2
}

sha256() { if command -v sha256sum >/dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi; }

# One hash over the names and contents of the SDK, of the guest, and of the guests whose libraries it links.
sources() {
    local linked
    mapfile -t linked < <(sed -n 's/^\([a-z0-9]*\)_guest\.workspace = true$/\1/p' "programs/$1/guest/Cargo.toml" |
        grep -vx leanvm | sed 's|.*|programs/&/guest|')
    find "$sdk"/{Cargo.toml,build.rs,leanvm.ld,cargo-guest.sh,src} "programs/$1/guest" "${linked[@]}" \
        -type f ! -path '*/target/*' -print | sort | while read -r file; do sha256 "$file"; done |
        sha256 | cut -d' ' -f1
}

while [ $# -gt 0 ]; do
    case $1 in
    --rustup)
        [ $# -ge 2 ] || fail "--rustup needs the name of a toolchain"
        cargo+=(--rustup "$2")
        shift 2
        ;;
    --out)
        [ $# -ge 2 ] || fail "--out needs a directory"
        out=$2
        mkdir -p "$out"
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
for program in "${programs[@]}"; do
    [ -d "programs/$program/guest" ] || fail "there is no program $program (no directory programs/$program/guest)"
done

# Cargo locks the target directory, so that two builds at once wait for one another.
target_directory=${CARGO_TARGET_DIR:-target}/guests
# One program at a time: built together, each would get the SDK's features of all.
for program in "${programs[@]}"; do
    "${cargo[@]}" build --quiet --locked --target-dir "$target_directory" -p "${program}_guest"
done
version=$("${cargo[@]}" compiler)

# A file appears whole or not at all.
put() {
    local temporary
    temporary=$(mktemp "$2.XXXXXX")
    cat "$1" >"$temporary"
    chmod 644 "$temporary"
    mv -f "$temporary" "$2"
}

for program in "${programs[@]}"; do
    built=$target_directory/riscv64im-unknown-none-elf/release/$program
    if [ -n "$out" ]; then
        put "$built" "$out/$program.elf"
    else
        put "$built" "programs/$program/$program.elf"
        put <(printf 'compiler %s\nsources %s\n' "$version" "$(sources "$program")") "programs/$program/$program.stamp"
    fi
done
