#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# iomc on real kernel source: facts, a known bug, and the review of two changes. Sets up and builds what is missing.
# usage: bash examples/run.sh [--quick]
#   --quick   reviews look at one configuration instead of all; reports are cut to their verdicts
# Ends with status 0 if everything came out as the text says. Writes to build/ only.
set -euo pipefail

quick=no
case ${1-} in
  '') ;;
  --quick) quick=yes ;;
  *)
    echo "usage: bash examples/run.sh [--quick]" >&2
    exit 129
    ;;
esac

root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
bash packaging/install-dependencies.sh
cmake --preset release > /dev/null
cmake --build build/release --target iomc
iomc=build/release/iomc
work=build/examples
rm -rf "$work"
mkdir -p "$work"
sources=${IOMC_LINUX_SOURCE_DIR:-/usr/src}
few=()
counted=()
if [ $quick = yes ]; then
  counted=(--property iova.P14 --property iova.P21 --property iova.P22)
  few=(--config irq)
fi

said=()
failed=no

# expect STATUS PATTERN WHAT COMMAND...: runs the command, shows its report, and compares its exit status; a line of the
# report must match the pattern.
expect() {
  local want=$1 pattern=$2 what=$3 status=0 verdict=as\ stated
  shift 3
  printf '\n==== %s\n$ %s\n\n' "$what" "${*/#"$iomc"/iomc}"
  "$@" > "$work/report" 2> "$work/errors" || status=$?
  if [ $quick = yes ]; then
    grep -E "$pattern" "$work/report" || true
    tail -n 1 "$work/report"
  else
    cat "$work/report"
  fi
  cat "$work/errors"
  if [ "$status" != "$want" ] || ! grep -Eq "$pattern" "$work/report"; then
    verdict="NOT as stated: status $status, expected $want and a line with \"$pattern\""
    failed=yes
  fi
  said+=("$what: $verdict")
}

# make_patch NAME FILE: examples/patches/NAME.cocci as a patch to FILE of linux-source-6.12, in $work/NAME.patch. A
# semantic patch fits the kernel at hand.
make_patch() {
  [ -f "$work/$2" ] ||
    tar --extract --use-compress-program='xz -T0' --file="$sources/linux-source-6.12.tar.xz" --directory="$work" \
      --strip-components=1 --occurrence=1 "linux-source-6.12/$2"
  (cd "$work" && spatch --very-quiet --no-includes --sp-file "$root/examples/patches/$1.cocci" --patch . "$2" \
    > "$1.patch" 2> spatch.log) || { cat "$work/spatch.log" >&2; exit 1; }
  printf '\n==== the patch under review\n\n'
  cat "$work/$1.patch"
}

for version in 6.1 6.12; do
  expect 0 '^iova +mag_size +127' "facts read from Debian's linux-source-$version, none unknown" \
    "$iomc" facts --tree "$sources/linux-source-$version.tar.xz"
done

expect 1 '^violated +iova\.P3 ' "Linux 6.1 grants a range below the start of the domain (fixed by dcdb3ba7e2a8)" \
  "$iomc" check iova --kernel 6.1 --config aperture --property iova.P3
expect 0 '^holds +iova\.P3 ' "Linux 6.2 does not" \
  "$iomc" check iova --kernel 6.2 --config aperture --property iova.P3

# The first, 32-bit attempt of a mapping flushes all caches again, as before the patch of September 2017.
make_patch flush-32bit-again drivers/iommu/dma-iommu.c
expect 0 'flush_on_32bit_failure +false -> true' "review of that patch on 6.12: no property is broken" \
  "$iomc" review "$work/flush-32bit-again.patch" --tree "$sources/linux-source-6.12.tar.xz" "${few[@]}"

# The same change before 6.6, where a device goes on trying 32 bits after a failure: the collapse of 2017 is back.
expect 1 '^holds +violated +iova\.P22 ' "review of the same change on 6.2: every mapping flushes all CPUs' caches" \
  "$iomc" review --spec iova --kernel 6.2 --set flush_on_32bit_failure=true "${few[@]}" "${counted[@]}"

# The direction of the patch of 2017 itself, as facts of the kernel it was written for. Alone it lets a request fail
# beside ranges in the local cache, which is why e8b198402745 came with it.
expect 1 '^holds.* violated +iova\.P13 ' "review of the change of 2017 on 4.13: breaks iova.P13 if it comes alone" \
  "$iomc" review --spec iova --kernel 4.13 --set flush_optional=true --set flush_on_32bit_failure=false "${few[@]}"

# The patch of November 2017: vfio-pci's MSI handler in hard interrupts, also on PREEMPT_RT.
if [ $quick = yes ]; then
  make_patch vfio-msi-no-thread drivers/vfio/pci/vfio_pci_intrs.c
  expect 1 '^holds +violated +vfio\.S1 ' "review of IRQF_NO_THREAD on vfio_msihandler: breaks PREEMPT_RT only" \
    "$iomc" review "$work/vfio-msi-no-thread.patch" --tree "$sources/linux-source-6.12.tar.xz" --config reader
else
  bash examples/interrupts.sh || failed=yes
  expect 0 '^6\.12-rt +NO_THREAD +hard irq +violated' "the same by kernel, flags and who else is there" \
    "$iomc" check vfio --table dispatch
fi

printf '\n==== what came out\n'
printf '%s\n' "${said[@]}"
[ $failed = no ]
