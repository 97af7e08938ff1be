#!/usr/bin/env bash
# Runs every command of the README's `sh` blocks, as a newcomer would: in order, from the root of a checkout.
source "$(dirname "$0")/common.sh"

mapfile -t commands < <(sed -n '/^```sh$/,/^```$/{/^```/!p}' README.md | grep -Ev '^\s*(#|$)')
((${#commands[@]})) || die "README.md has no command: this check has lost its subject"
for command in "${commands[@]}"; do
    echo "\$ $command"
    bash -euo pipefail -c "$command"
done
