#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Sets up, builds and runs every test. usage: bash tests/run.sh [ctest options]
set -euo pipefail

cd "$(dirname "$0")/.."
bash packaging/install-dependencies.sh
cmake --preset release > /dev/null
cmake --build build/release
exec ctest --test-dir build/release --output-on-failure --parallel "$(nproc)" "$@"
