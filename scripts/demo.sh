#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs what is missing, builds, and blurs a picture on Vulkan and on the host.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

timed "install packages" "$root/scripts/install-deps.sh"
timed "configure" configure
timed "build" ninja -C "$build" spireac spirea-info spirea-interp blur
timed "devices" "$build/bin/spirea-info"
mkdir -p "$build/demo"
timed "blur" "$build/bin/blur" "$root/samples/blur/photo.png" "$build/demo/blurred" "${1:-8}"
print_times
