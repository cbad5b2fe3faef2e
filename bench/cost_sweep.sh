#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# How long the cost engine takes for 1..256 CPUs by 1..64 drives. usage: bench/cost_sweep.sh IOMC [LIMIT_SECONDS]
set -euo pipefail

iomc=${1:?usage: bench/cost_sweep.sh IOMC [LIMIT_SECONDS]}
limit=${2:-30}
for spec in vmd iova; do
  sweeps=(--sweep cpus=1..256)
  [ $spec = vmd ] && sweeps+=(--sweep drives=1..64)
  [ $spec = iova ] && sweeps+=(--kernel 4.13)
  begin=$(date +%s%N)
  rows=$(timeout "$limit" "$iomc" cost $spec "${sweeps[@]}" --format csv | wc -l)
  end=$(date +%s%N)
  printf '%-4s %6d rows %8.2f s\n' $spec $((rows - 1)) "$(awk "BEGIN { print ($end - $begin) / 1e9 }")"
done
