#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs the Debian packages that Spirea needs; does nothing when all are there. Each with what it is for.
set -euo pipefail

packages=(
  # building
  g++                    # C++20 compiler of the host
  cmake                  # build system, 3.25 or newer
  ninja-build            # runs the build
  ccache                 # makes second builds fast
  python3                # generators and checks in scripts/
  pkg-config             # finds libraries
  # frontend and host code
  llvm-22-dev            # LLVM's headers and library
  libclang-22-dev        # Clang's headers
  libclang-cpp22-dev     # Clang's library
  clang-22               # Clang's own headers; compiles the math library; compared with in benchmarks
  libclc-22              # functions of <math.h> for kernels, as bitcode
  # SPIR-V
  spirv-headers          # SPIR-V grammar and enums
  spirv-tools            # optimizer and validator, libraries and tools
  # runtime
  libvulkan-dev          # Vulkan's headers
  libvulkan-volk-dev     # finds the Vulkan loader at run time
  libvulkan1             # the Vulkan loader
  mesa-vulkan-drivers    # Vulkan on the CPU, where there is no GPU
  libzstd-dev            # compresses artifacts
  libxxhash-dev          # checksums of artifacts
  # tools and samples
  libcli11-dev           # command lines
  nlohmann-json3-dev     # compile_commands.json
  libpng-dev             # pictures of samples/blur
  # tests
  libgtest-dev           # unit tests
  libgmock-dev           # matchers of unit tests
  llvm-22-tools          # lit and FileCheck
  vulkan-validationlayers  # checks every use of Vulkan
  clang-format           # checks the layout of the code
  make                   # builds a consumer project, as ninja does; reads depfiles
  binutils               # checks what the libraries link
)

missing=()
for package in "${packages[@]}"; do
  if [[ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)" != installed ]]; then
    missing+=("$package")
  fi
done
if [[ ${#missing[@]} -eq 0 ]]; then
  exit 0
fi

echo "installing: ${missing[*]}"
as_root=()
if [[ "$(id -u)" -ne 0 ]]; then
  if ! command -v sudo > /dev/null; then
    echo "error: not root, and no sudo; as root, run: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
export DEBIAN_FRONTEND=noninteractive
install=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}")
if ! "${install[@]}" > /dev/null 2>&1; then  # an old list of packages, or none
  "${as_root[@]}" apt-get update -q
  "${install[@]}"
fi
