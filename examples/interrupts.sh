#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# iomc on five changes of interrupt code, against Debian's 6.12: one of vfio-pci and four of the VMD driver.
# usage: bash examples/interrupts.sh [--quick]
#   --quick   reports are cut to their verdicts
# Ends with status 0 if everything came out as the text says. Writes to build/ only.
set -euo pipefail

quick=no
case ${1-} in
  '') ;;
  --quick) quick=yes ;;
  *)
    echo "usage: bash examples/interrupts.sh [--quick]" >&2
    exit 129
    ;;
esac

root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
bash packaging/install-dependencies.sh
cmake --preset release > /dev/null
cmake --build build/release --target iomc
iomc=build/release/iomc
work=build/examples-interrupts
rm -rf "$work"
mkdir -p "$work/tree"
package=${IOMC_LINUX_SOURCE_DIR:-/usr/src}/linux-source-6.12.tar.xz
said=()
failed=no

# The files that facts of interrupts are read from. A directory, so that the package is unpacked once and not in each
# review.
files=$(sed -n 's,^// reads[^:]*: ,,p' checker/review/facts/v*/*.cocci | sed 's/([^)]*)//g' | tr ' ' '\n' | sort -u)
# Missing members are files of other kernels.
tar --extract --use-compress-program='xz -T0' --file="$package" --directory="$work/tree" --strip-components=1 \
  --occurrence=1 $(printf 'linux-source-6.12/%s ' $files kernel/irq/handle.c) 2> "$work/tar.log" || true

# reviewed STATUS PATTERN PATCH FILE WHAT WORD...: makes the patch from the semantic patch and reviews it.
reviewed() {
  local want=$1 pattern=$2 name=$3 file=$4 what=$5 status=0 verdict=as\ stated
  shift 5
  (cd "$work/tree" && spatch --very-quiet --no-includes --sp-file "$root/examples/patches/$name.cocci" --patch . \
    "$file" > "../$name.patch" 2> ../spatch.log) || { cat "$work/spatch.log" >&2; exit 1; }
  printf '\n==== %s\n$ iomc review %s.patch --tree linux-source-6.12 %s\n\n' "$what" "$name" "$*"
  "$iomc" review "$work/$name.patch" --tree "$work/tree" "$@" > "$work/report" 2> "$work/errors" || status=$?
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

intrs=drivers/vfio/pci/vfio_pci_intrs.c
vmd=drivers/pci/controller/vmd.c
reviewed 1 '^holds +violated +vfio\.S1 ' vfio-msi-no-thread $intrs \
  "the MSI handler without a thread, on PREEMPT_RT: a lock that sleeps is taken in a hard interrupt" --set preempt=rt
reviewed 0 'msi_handler_flags +0 -> NO_THREAD' vfio-msi-no-thread $intrs \
  "the same without PREEMPT_RT: nothing is broken" --set preempt=none
reviewed 1 'trade-off: vmd\.P7 of performance for vmd\.S2a, vmd\.L5' vmd-28c0-remaps $vmd \
  "28C0 remaps: a device that could bypass does not, and a guest's is not led into it"
reviewed 1 '^holds +violated +vmd\.S1 ' vmd-low-msi-count $vmd \
  "a high vector count remaps: msix_count no longer tells the mode"
reviewed 1 '^holds +violated +vmd\.S2 ' vmd-force-bypass $vmd \
  "any device may be told to bypass: one that cannot is, and its children's messages go nowhere"
reviewed 0 '^violated +holds +vmd\.L1 ' vmd-list-for-life $vmd \
  "children listed for life: no completion is lost to a skipped sibling, nothing is broken"

printf '\n==== what came out\n'
printf '%s\n' "${said[@]}"
[ $failed = no ]
