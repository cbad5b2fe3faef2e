#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# iomc beside SPIN and Rumur on the models of this folder: counts compared, CPU time measured in interleaved rounds.
# usage: bash bench/run.sh [--rounds N] [-o table.csv] [f5|f6|g4|g5|m7|m8 ...]
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
rounds=5
csv=
models=()
usage() {
  echo "usage: bash bench/run.sh [--rounds N] [-o table.csv] [f5|f6|g4|g5|m7|m8 ...]" >&2
  exit 129
}
while [ $# -gt 0 ]; do
  case $1 in
    --rounds) [ $# -ge 2 ] && [[ $2 =~ ^[1-9][0-9]*$ ]] || usage; rounds=$2; shift ;;
    -o) [ $# -ge 2 ] || usage; csv=$2; shift ;;
    f5 | f6 | g4 | g5 | m7 | m8) models+=("$1") ;;
    *) usage ;;
  esac
  shift
done
[ ${#models[@]} -gt 0 ] || models=(f5 g4 m7)
engines=(iomc spin-dfs spin-bfs rumur)

# Debian packages, only those whose program is missing.
missing=()
for pair in spin:spin rumur:rumur gcc:gcc g++:g++ cmake:cmake ninja:ninja-build; do
  command -v "${pair%%:*}" > /dev/null || missing+=("${pair##*:}")
done
if [ ${#missing[@]} -gt 0 ]; then
  as_root=
  [ "$(id -u)" = 0 ] || as_root=sudo
  $as_root apt-get update -q
  $as_root apt-get install -y -q "${missing[@]}"
fi

(cd "$root" && cmake --preset release > /dev/null && cmake --build build/release --target bench_models > /dev/null)
work=$root/build/bench
mkdir -p "$work"

# -o3: SPIN must not merge statements, or its steps are not the others' steps. -DNOREDUCE: all interleavings, likewise.
build_peers() {
  local m=$1 dir=$work/$1
  local spin_gcc=(gcc -O3 -march=native -DSAFETY -DNOREDUCE -DMEMLIM=12000 -w)
  mkdir -p "$dir"
  if [ ! -x "$dir/rumur" ] || [ "$root/bench/spin/$m.pml" -nt "$dir/rumur" ] ||
    [ "$root/bench/rumur/$m.m" -nt "$dir/rumur" ]; then
    (
      cd "$dir"
      cp "$root/bench/spin/$m.pml" .
      spin -a -o3 "$m.pml" > /dev/null
      "${spin_gcc[@]}" pan.c -o spin-dfs
      "${spin_gcc[@]}" -DBFS pan.c -o spin-bfs
      rumur "$root/bench/rumur/$m.m" --output rumur.c --threads 1 --deadlock-detection off
      gcc -std=c11 -O3 -march=native -w rumur.c -o rumur -lpthread
    )
  fi
}

# One run of one engine; leaves its output in $work/out and prints user and system seconds.
run() {
  local m=$1 engine=$2 depth=1000000 table=20
  case $m in f6 | g5 | m8) depth=12000000 table=24 ;; esac
  local command
  case $engine in
    iomc) command=("$root/build/release/bench/bench_models" "$m") ;;
    spin-dfs) command=("$work/$m/spin-dfs" -E "-m$depth" "-w$table") ;;
    spin-bfs) command=("$work/$m/spin-bfs" -E "-w$table") ;;
    rumur) command=("$work/$m/rumur") ;;
  esac
  local TIMEFORMAT='%U %S'
  { time "${command[@]}" > "$work/out" 2> "$work/err"; } 2>&1
}

# "states transitions depth" of the last run; depth is "-" where the engine does not say the same thing. Empty if the
# run did not end without an error.
counts() {
  case $1 in
    iomc) awk '$1 == "states" {s=$2} $1 == "transitions" {t=$2} $1 == "depth" {d=$2}
               $1 == "verdict" && $3 == "holds" && NF == 3 {ok++}
               END {if (ok == 2) print s, t, d}' "$work/out" ;;
    spin-*) awk '/states, stored/ {s=$1} /transitions \(= stored/ {t=$1} /errors: 0$/ {ok=1}
                 END {if (ok) print s, t, "-"}' "$work/out" ;;
    rumur) awk '/No error found/ {ok=1} / states, .* rules fired in/ {s=$1; t=$3}
                END {if (ok) print s, t, "-"}' "$work/out" ;;
  esac
}

# What SPIN counts and the others do not. It counts the initial state as a transition (stored + matched). Its filter
# lock has an init process: one state and one step of it for depth first, one for each started process for breadth
# first.
extra() {
  local n=${1:1}
  case $2:$1 in
    spin-dfs:f*) echo 1 2 ;;
    spin-bfs:f*) echo "$n" $((n + 1)) ;;
    spin-*) echo 0 1 ;;
    *) echo 0 0 ;;
  esac
}

expected() {
  case $1 in
    f5) echo 344805 1205325 ;;
    f6) echo 8786754 35331480 ;;
    g4) echo 544617 2912544 ;;
    g5) echo 10977849 73386000 ;;
    m7) echo 363925 1442758 ;;
    m8) echo 2824559 11905214 ;;
  esac
}

for m in "${models[@]}"; do build_peers "$m"; done

status=0
: > "$work/rows"
for ((round = 1; round <= rounds; ++round)); do
  for m in "${models[@]}"; do
    for engine in "${engines[@]}"; do
      seconds=$(run "$m" "$engine") || true
      found=$(counts "$engine")
      read -r states transitions depth <<< "${found:-0 0 -}"
      read -r extra_states extra_transitions <<< "$(extra "$m" "$engine")"
      read -r want_states want_transitions <<< "$(expected "$m")"
      if [ $((states - extra_states)) != "$want_states" ] ||
        [ $((transitions - extra_transitions)) != "$want_transitions" ]; then
        echo "$m $engine: $states states and $transitions transitions; expected $want_states+$extra_states and" \
          "$want_transitions+$extra_transitions" >&2
        status=1
      fi
      echo "$m $engine $states $extra_states $transitions $extra_transitions $depth $seconds" >> "$work/rows"
    done
  done
  echo "round $round of $rounds" >&2
done

# Medians and ratios. The ratio is states per CPU second of iomc over that of the engine, SPIN's extra states left out.
awk -v out="$csv" -v rounds="$rounds" '
  function median(key,   n, i, j, t, v) {
    n = count[key]
    for (i = 1; i <= n; ++i) v[i] = cpu[key, i]
    for (i = 2; i <= n; ++i) for (j = i; j > 1 && v[j] < v[j - 1]; --j) { t = v[j]; v[j] = v[j - 1]; v[j - 1] = t }
    low[key] = v[1]; high[key] = v[n]
    return n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2
  }
  {
    key = $1 SUBSEP $2
    if (!(key in count)) { order[++keys] = key; if (!($1 in seen)) { seen[$1]; model[++models] = $1 } }
    cpu[key, ++count[key]] = $8 + $9
    states[key] = $3; extra_s[key] = $4; transitions[key] = $5; extra_t[key] = $6; depth[key] = $7
  }
  END {
    printf "%-5s %-9s %11s %6s %12s %6s %5s %9s %15s %12s %6s\n", "model", "engine", "states", "extra", "transitions",
           "extra", "depth", "cpu_s", "min..max", "kstates/s", "iomc x"
    head = "model,engine,rounds,states,extra_states,transitions,extra_transitions,depth,cpu_seconds_median,"
    head = head "cpu_seconds_min,cpu_seconds_max,states_per_cpu_second,iomc_ratio"
    if (out != "") print head > out
    for (k = 1; k <= keys; ++k) {
      key = order[k]; split(key, part, SUBSEP)
      m = part[1]; e = part[2]
      mid[key] = median(key)
      rate = (states[key] - extra_s[key]) / mid[key]
      ratio = mid[key] / mid[m SUBSEP "iomc"]
      printf "%-5s %-9s %11d %6d %12d %6d %5s %9.3f %7.3f..%-6.3f %12.0f %6.2f\n", m, e, states[key], extra_s[key],
             transitions[key], extra_t[key], depth[key], mid[key], low[key], high[key], rate / 1000, ratio
      if (out != "")
        printf "%s,%s,%d,%d,%d,%d,%d,%s,%.3f,%.3f,%.3f,%.0f,%.2f\n", m, e, rounds, states[key], extra_s[key],
               transitions[key], extra_t[key], depth[key], mid[key], low[key], high[key], rate, ratio > out
    }
    for (k = 1; k <= models; ++k) {
      m = model[k]; d = mid[m SUBSEP "spin-dfs"]; b = mid[m SUBSEP "spin-bfs"]
      printf "%s: iomc explores %.1f times the states per CPU second of the faster SPIN mode (%s)\n", m,
             (d < b ? d : b) / mid[m SUBSEP "iomc"], d < b ? "depth first" : "breadth first"
    }
  }' "$work/rows"
[ $status = 0 ] || echo "counts differ" >&2
exit $status
