#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks what is linked: the runtime, ir/ and codegen-spirv/, and the tools made of them, have nothing of LLVM or
Clang, and the runtime no library of a GPU. Usage: check_linking.py BUILD"""

import pathlib
import subprocess
import sys

BINARIES = ["lib/libspirea.so", "lib/libspirea-interp.so", "bin/spirea-opt", "bin/spirea-info",
            "bin/spirea-reduce"]
ARCHIVES = ["lib/libspirea_abi.a", "lib/libspirea_ir.a", "lib/libspirea_codegen_spirv.a"]
FORBIDDEN_LIBRARIES = ["LLVM", "clang", "vulkan", "OpenCL", "cuda", "nvidia", "GL"]
FORBIDDEN_SYMBOLS = ["N4llvm", "N5clang", " LLVM", " clang_"]
MAX_RUNTIME_BYTES = 3 << 20


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def needed_libraries(path):
    """Direct and indirect ones: the loader's own answer."""
    return [line.split()[0] for line in run("ldd", path).splitlines() if line.strip()]


def check_binary(path):
    found = [name for name in needed_libraries(path) for word in FORBIDDEN_LIBRARIES if f"lib{word}" in name]
    return [f"{path}: links {name}" for name in found]


def check_archive(path):
    undefined = run("nm", "--undefined-only", path).splitlines()
    found = sorted({line.split()[-1] for line in undefined for word in FORBIDDEN_SYMBOLS if word in line})
    return [f"{path}: uses {name}" for name in found]


def check_size(path, stripped):
    run("strip", "-o", stripped, path)
    size = stripped.stat().st_size
    print(f"{path.name}: {size / 1024:.0f} KiB stripped")
    return [f"{path}: {size} bytes stripped, {MAX_RUNTIME_BYTES} at most"] if size > MAX_RUNTIME_BYTES else []


def main():
    build = pathlib.Path(sys.argv[1])
    problems = [f"{build / name} is missing" for name in BINARIES + ARCHIVES if not (build / name).exists()]
    for name in BINARIES:
        problems += check_binary(build / name) if (build / name).exists() else []
    for name in ARCHIVES:
        problems += check_archive(build / name) if (build / name).exists() else []
    problems += check_size(build / "lib/libspirea.so", build / "tests" / "libspirea.stripped.so")
    print("\n".join(problems + [f"{len(problems)} problems in what is linked"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
