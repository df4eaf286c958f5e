#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures how spireac's time and memory grow with a kernel's size, for bodies of each shape in shapes.py.

A shape is good if doubling its size costs at most what n log n allows: CPU time beyond that of an empty kernel,
over the whole range of sizes, with a margin for noise."""

import argparse
import json
import math
import os
import pathlib
import sys
import tempfile

import shapes
from run import ROOT, Measurement

MARGIN = 1.5   # of the growth that n log n allows from the first size to the last
NOISE_MS = 50  # what is less than that beyond an empty kernel is not compared


def measure(name, source, folder, options):
    path = pathlib.Path(folder) / f"{name}.cpp"
    path.write_text(source)
    measurement = Measurement(name, [options.spireac, f"--emit={options.emit}", path, "-o", os.devnull])
    for _ in range(options.runs):
        measurement.run()
    return measurement.summary()


def growth(sizes, times):
    """The factor from the smallest to the largest kernel, and the one that n log n has."""
    first, last = sizes[0], sizes[-1]
    allowed = last * math.log(last) / (first * math.log(first))
    return times[-1] / max(times[0], NOISE_MS), allowed


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spireac", default=ROOT / "build" / "bin" / "spireac")
    parser.add_argument("--emit", default="spirv", help="the stage to stop at (default: spirv)")
    parser.add_argument("--runs", type=int, default=3, help="of each kernel (default: 3)")
    parser.add_argument("--shape", action="append", help="measure only this one; may be repeated")
    parser.add_argument("--json", type=pathlib.Path, help="write the figures to this file")
    options = parser.parse_args()

    good, figures = True, {}
    with tempfile.TemporaryDirectory() as folder:
        empty = measure("empty", shapes.HEAD + shapes.TAIL, folder, options)
        print(f"{'CPU ms beyond an empty kernel':30}{empty['cpu_ms']:10.0f}{empty['peak_mib']:8.0f} MiB")
        for shape, sizes in shapes.SHAPES:
            if options.shape and shape.__name__ not in options.shape:
                continue
            rows = [measure(f"{shape.__name__}_{n}", shapes.source(shape, n), folder, options) for n in sizes]
            times = [row["cpu_ms"] - empty["cpu_ms"] for row in rows]
            factor, allowed = growth(sizes, times)
            fits = factor <= allowed * MARGIN
            good = good and fits
            figures[shape.__name__] = {"sizes": sizes, "beyond_empty_ms": times, "rows": rows, "factor": factor,
                                       "n_log_n": allowed}
            columns = "".join(f"{n:>7}:{t:7.0f}{row['peak_mib']:6.0f}M" for n, t, row in zip(sizes, times, rows))
            print(f"{shape.__name__:18}{columns}   x{factor:.1f} (n log n: x{allowed:.1f}) {'' if fits else 'EXCEEDED'}",
                  flush=True)
    if options.json:
        options.json.write_text(json.dumps({"empty": empty, "shapes": figures}, indent=1))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
