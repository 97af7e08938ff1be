#!/usr/bin/env bash
# Runs the kernel suite on an emulated CPU that has AVX-512, VPCLMULQDQ and GFNI: a bare-metal image
# (tests/bare_metal), built for the baseline of x86-64 so that dispatch is tested too, booted by Bochs.
source "$(dirname "$0")/common.sh"

packages binutils bochs bochs-term bochsbios vgabios genisoimage
seconds=600

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
build=$target/bare-metal
mkdir "$scratch/disc"

# Loops stay loops: Bochs 2.7 refuses a valid gather (VPGATHERQQ with its index in YMM18) that the compiler makes of the
# suite's own code. The kernels are intrinsics, which this leaves as they are.
flags=(
    -D warnings -C relocation-model=static -C code-model=small -C target-cpu=x86-64 -C linker-flavor=gcc
    -C no-vectorize-loops -C no-vectorize-slp
    -C link-arg=-T"$PWD/tests/bare_metal/image.ld" -C link-arg=-nostdlib -C link-arg=-static -C link-arg=-no-pie
    -C link-arg=-Wl,--build-id=none
)
RUSTFLAGS="${flags[*]}" cargo build --quiet --locked --release --manifest-path tests/bare_metal/Cargo.toml \
    --target x86_64-unknown-linux-gnu --target-dir "$build"
objcopy --output-target binary "$build/x86_64-unknown-linux-gnu/release/bare_metal" "$scratch/disc/image"
genisoimage -quiet -o "$scratch/disc.iso" -b image -no-emul-boot -boot-load-size 4 -boot-info-table "$scratch/disc"

cat >"$scratch/bochsrc" <<CONFIGURATION
megs: 512
cpu: model=tigerlake, count=1, ips=200000000, reset_on_triple_fault=0
romimage: file=/usr/share/bochs/BIOS-bochs-latest
vgaromimage: file=/usr/share/vgabios/vgabios.bin
ata0-master: type=cdrom, path=$scratch/disc.iso, status=inserted
boot: cdrom
com1: enabled=1, mode=file, dev=$scratch/serial
display_library: term
clock: sync=none, time0=local
log: $scratch/log
CONFIGURATION
# Debian's Bochs has the debugger, which waits for this before it starts, and a display that needs a terminal.
echo continue >"$scratch/commands"
: >"$scratch/serial"
TERM=xterm timeout "$seconds" script --quiet --return --command \
    "bochs -q -f $scratch/bochsrc -rc $scratch/commands" /dev/null >"$scratch/display" 2>&1 </dev/null &
emulator=$!
# It ends by itself once the image powers the machine off, or else when the time is up.
wait "$emulator" || true
cat "$scratch/serial"
if [[ $(tail -n 1 "$scratch/serial" | tr -d '\r') != PASSED ]]; then
    grep -E 'PANIC|>>ERROR|e\[CPU' "$scratch/log" | tail -n 20 >&2 || true
    die "the suite did not pass on the emulated CPU (an image that says nothing did not start, or not end in $seconds s)"
fi
