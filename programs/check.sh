#!/usr/bin/env bash
# Checks that every programs/<p>/<p>.elf is what its sources give.
#
#   programs/check.sh
#
# The hash of the sources must be the stamp's. Where the installed compiler is the stamp's, every guest is
# built again and its bytes compared; elsewhere that is left out, and said.
set -euo pipefail
export LC_ALL=C

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
cd "$root"

stale=0
say_stale() {
    echo "check.sh: programs/$1/$1.elf is stale: $2; run programs/build.sh $1 and commit the result" >&2
    stale=1
}

installed=$(crates/leanvm_guest/cargo-guest.sh compiler 2>/dev/null || echo none)
rebuild=()
for directory in programs/*/guest; do
    program=$(basename "$(dirname "$directory")")
    stamp=programs/$program/$program.stamp
    if [ ! -f "$stamp" ] || [ ! -f "programs/$program/$program.elf" ]; then
        say_stale "$program" "the file or its stamp is missing"
        continue
    fi
    built_from=$(sed -n 's/^sources //p' "$stamp")
    now=$(programs/build.sh --sources "$program")
    if [ "$built_from" != "$now" ]; then
        say_stale "$program" "the sources hash to $now, and it was built from $built_from"
        continue
    fi
    built_by=$(sed -n 's/^compiler //p' "$stamp")
    if [ "$built_by" = "$installed" ]; then
        rebuild+=("$program")
    else
        echo "check.sh: $program was built by \"$built_by\", installed is \"$installed\": its bytes are not compared"
    fi
done

if [ ${#rebuild[@]} -gt 0 ]; then
    again=$(mktemp -d)
    trap 'rm -rf "$again"' EXIT
    programs/build.sh --out "$again" "${rebuild[@]}"
    for program in "${rebuild[@]}"; do
        cmp -s "$again/$program.elf" "programs/$program/$program.elf" ||
            say_stale "$program" "a build of the same sources by the same compiler has other bytes"
    done
fi

[ "$stale" = 0 ] || exit 1
echo "check.sh: ${#rebuild[@]} guests built again have the bytes of their files, and no source has changed"
