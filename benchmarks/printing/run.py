#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures what a printf that never prints, and an assert that never fails, cost: the time of a launch on the device
as a ratio to that of the same kernel without them, medians of alternating runs."""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent))
from launches import launch_times  # noqa: E402 (it is in the folder above)

VARIANTS = ["without", "printf", "assert"]
KERNELS = ["scale", "iterate", "iterate_and_look"]


def build(options, folder):
    objects = []
    for number, name in enumerate(VARIANTS):
        target = pathlib.Path(folder) / f"{name}.o"
        subprocess.run([options.bin / "spireac", HERE / "kernels.cpp", f"-DSPIREA_BENCHMARK_MESSAGE={number}", "-c", "-o",
                        target], check=True)
        objects.append(target)
    return objects


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build" / "bin")
    parser.add_argument("--device", action="append", help="default: host and vulkan")
    parser.add_argument("--size", type=int, default=1 << 20, help="elements (default: 1 Mi)")
    parser.add_argument("--repeat", type=int, default=10, help="launches of each run, the first not counted (default: 10)")
    parser.add_argument("--runs", type=int, default=5, help="of each kernel (default: 5)")
    parser.add_argument("--json", type=pathlib.Path, help="write the figures to this file")
    options = parser.parse_args()

    figures = []
    with tempfile.TemporaryDirectory() as folder:
        objects = build(options, folder)
        print(f"{'device':10}{'kernel':20}" + "".join(f"{name:>18}" for name in VARIANTS))
        for device in options.device or ["host", "vulkan"]:
            for kernel in KERNELS:
                times = [[] for _ in VARIANTS]
                for _ in range(options.runs):
                    for found, target in zip(times, objects):
                        found += launch_times(options, device, target, kernel, [f"out={options.size}", "factor=0.5"])
                medians = [statistics.median(found) for found in times]
                figures.append({"device": device, "kernel": kernel, "ms": dict(zip(VARIANTS, medians))})
                columns = "".join(f"{ms:10.2f} ms x{ms / medians[0]:.2f}" for ms in medians)
                print(f"{device:10}{kernel:20}{columns}", flush=True)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
