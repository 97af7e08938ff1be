# Sourced by the scripts of this directory: strict mode, the root of the checkout as working directory, the
# versions of tools, and the ways to have them.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cargo_machete_version=0.9.2
cargo_fuzz_version=0.13.2

# What this checkout builds lies here; tools are built once in it.
target=${CARGO_TARGET_DIR:-$PWD/target}
tools=$target/tools

die() {
    echo "${0##*/}: $*" >&2
    exit 1
}

# packages NAME...: has Debian's packages on the machine.
packages() {
    local name missing=()
    for name; do
        [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$name" 2>/dev/null) == installed ]] || missing+=("$name")
    done
    ((${#missing[@]})) || return 0
    local root_command=()
    [[ $EUID == 0 ]] || root_command=(sudo)
    echo "installing ${missing[*]}"
    "${root_command[@]}" apt-get update -qq
    DEBIAN_FRONTEND=noninteractive "${root_command[@]}" \
        apt-get install -qq --yes --no-install-recommends "${missing[@]}" >/dev/null
}

# tool CRATE VERSION: has the program of that name, built in this checkout, on the path.
tool() {
    export PATH=$tools/bin:$PATH
    if [[ $(cargo install --list --root "$tools" 2>/dev/null) != *"$1 v$2:"* ]]; then
        CARGO_TARGET_DIR=$tools/build cargo install --quiet --locked --debug --root "$tools" "$1@$2"
    fi
}

# Crates whose proving side is optional: what is left without it only verifies.
verify_only_crates() {
    local manifest
    for manifest in crates/*/Cargo.toml; do
        ! grep -q '^prover = ' "$manifest" || basename "$(dirname "$manifest")"
    done
}

# debian_cargo ARGUMENT...: Debian's compiler, for targets whose standard library is built from source (rustup's
# shims come first on the path, so it is named). RUSTC_BOOTSTRAP allows it `-Z build-std`. clippy has no such
# target, so rustc's own warnings are denied.
debian_cargo() {
    packages rustc-web cargo-web rust-web-src
    RUSTC=/usr/bin/rustc RUSTDOC=/usr/bin/rustdoc RUSTC_BOOTSTRAP=1 RUSTFLAGS="-D warnings" /usr/bin/cargo "$@"
}
