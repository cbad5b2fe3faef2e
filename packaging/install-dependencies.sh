#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Installs what iomc is built, tested and run with, from Debian 12. Where all of it is there, nothing is asked of the
# network. usage: packaging/install-dependencies.sh [--bench] [--fuzz]
#   --bench   also the model checkers that bench/run.sh compares with
#   --fuzz    also the compiler that the fuzz programs need
set -euo pipefail

# To build: the compiler and the libraries. cmake/Dependencies.cmake looks for the same ones.
packages=(g++ cmake ninja-build libz3-dev librapidcheck-dev libfmt-dev catch2 libcli11-dev nlohmann-json3-dev
  libpugixml-dev libedit-dev)
# To run: coccinelle reads facts from kernel source, gcc compiles kernel code, the rest takes patches, ranges and source
# packages apart.
packages+=(coccinelle gcc patch git tar xz-utils)
# Plots of iomc cost.
packages+=(gnuplot-nox)
# To test: other people's readers of the report formats, and the kernel sources that the facts are read from.
packages+=(diffutils python3 python3-jsonschema libxml2-utils groff-base linux-source-6.1 linux-source-6.12)
for option in "$@"; do
  case $option in
    --bench) packages+=(spin rumur) ;;
    --fuzz) packages+=(clang libclang-rt-14-dev) ;;
    *)
      echo "usage: packaging/install-dependencies.sh [--bench] [--fuzz]" >&2
      exit 129
      ;;
  esac
done

# dpkg-query fails where it does not know a name, and lists the others all the same.
known=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${packages[@]}" 2> /dev/null) || true
missing=()
for package in "${packages[@]}"; do
  grep -qx "installed $package" <<< "$known" || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  exit 0
fi

as_root=()
if [ "$(id -u)" != 0 ]; then
  if ! command -v sudo > /dev/null || ! sudo -n true 2> /dev/null; then
    echo "install-dependencies: neither root nor sudo without a password; as root: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
echo "installing: ${missing[*]}" >&2
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -q >&2
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}" >&2
