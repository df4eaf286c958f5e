#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs what is missing, builds, and runs all tests. Arguments are passed to CMake. The last line is the count.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

timed "install packages" "$root/scripts/install-deps.sh"
timed "configure" configure "$@"
timed "build" ninja -C "$build"
code=0
timed "tests" "$root/scripts/run_tests.py" "$build" --summary "$build/tests/summary.txt" || code=$?
print_times
cat "$build/tests/summary.txt"
exit "$code"
