#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures additions to floats in memory on Vulkan: the time of a launch with the device's own instructions against that
with loops around a compare-exchange (SPIREA_VULKAN_FLOAT_ATOMICS=0), medians of alternating runs. Kernels for which a device
has no instruction take as long in both columns; spirea-info says what it has."""

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

CASES = [("in_buffer", 1), ("in_buffer", 256), ("in_buffer", 65536), ("in_workgroup", 256), ("of_doubles", 1),
         ("of_doubles", 256), ("of_doubles", 65536)]
VARIANTS = {"native": "1", "loop": "0"}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build" / "bin")
    parser.add_argument("--device", default="vulkan")
    parser.add_argument("--size", type=int, default=1 << 22, help="elements (default: 4 Mi)")
    parser.add_argument("--repeat", type=int, default=6, help="launches of each run, the first not counted (default: 6)")
    parser.add_argument("--runs", type=int, default=3, help="of each kernel (default: 3)")
    parser.add_argument("--json", type=pathlib.Path, help="write the figures to this file")
    options = parser.parse_args()

    figures = []
    with tempfile.TemporaryDirectory() as folder:
        target = pathlib.Path(folder) / "kernels.o"
        subprocess.run([options.bin / "spireac", HERE / "kernels.cpp", "-c", "-o", target], check=True)
        print(f"{'kernel':16}{'bins':>8}{'native':>14}{'loop':>14}{'loop/native':>14}")
        for kernel, bins in CASES:
            times = {variant: [] for variant in VARIANTS}
            for _ in range(options.runs):
                for variant, found in times.items():
                    found += launch_times(options, options.device, target, kernel, [f"bins={bins}"],
                                          {"SPIREA_VULKAN_FLOAT_ATOMICS": VARIANTS[variant]})
            medians = {variant: statistics.median(found) for variant, found in times.items()}
            figures.append({"kernel": kernel, "bins": bins, "ms": medians})
            ratio = medians["loop"] / medians["native"]
            print(f"{kernel:16}{bins:8}{medians['native']:11.3f} ms{medians['loop']:11.3f} ms{ratio:14.2f}", flush=True)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
