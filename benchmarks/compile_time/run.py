#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the time and memory of spireac with Clang's, as ratios of medians of alternating runs on one machine."""

import argparse
import json
import os
import pathlib
import statistics
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class Measurement:
    """Runs of one command: wall time, CPU time and peak memory."""

    def __init__(self, name, command):
        self.name = name
        self.command = [str(word) for word in command]
        self.wall, self.cpu, self.memory = [], [], []

    def run(self):
        start = time.perf_counter()
        pid = os.posix_spawnp(self.command[0], self.command, os.environ,
                              file_actions=[(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0),
                                            (os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0)])
        _, status, usage = os.wait4(pid, 0)
        self.wall.append(time.perf_counter() - start)
        if status != 0:
            sys.exit(f"error: '{' '.join(self.command)}' failed")
        self.cpu.append(usage.ru_utime + usage.ru_stime)
        self.memory.append(usage.ru_maxrss / 1024)

    def summary(self):
        return {"command": self.command, "wall_ms": 1e3 * statistics.median(self.wall),
                "cpu_ms": 1e3 * statistics.median(self.cpu), "peak_mib": statistics.median(self.memory)}


def commands(spireac, clang, folder):
    sample = ROOT / "samples" / "square_sin" / "main.cpp"
    plain = folder / "plain.cpp"
    plain.write_text("[[spirea::kernel]] void plain(float* p, float x) { p[0] = p[0] * x; }\n")
    return {
        "spireac square_sin": [spireac, "--emit=spirv", sample, "-o", folder / "a.spv"],
        "clang square_sin": [clang, "-std=c++20", "-O2", "-Wno-unknown-attributes", "-I", ROOT / "runtime/include",
                             "-c", sample, "-o", folder / "a.o"],
        "spireac plain": [spireac, "--emit=spirv", plain, "-o", folder / "b.spv"],
        "clang --version": [clang, "--version"],
    }


# Ratio, of which figure of which two measurements, and the most that it may be.
RATIOS = [
    ("time of square_sin to clang++ -O2 -c", "wall_ms", "spireac square_sin", "clang square_sin", 1.3),
    ("memory of square_sin to clang++ -O2 -c", "peak_mib", "spireac square_sin", "clang square_sin", 1.3),
    ("time without includes to clang++ --version", "wall_ms", "spireac plain", "clang --version", 3.0),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spireac", default=ROOT / "build" / "bin" / "spireac")
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--runs", type=int, default=11, help="of each command (default: 11)")
    parser.add_argument("--json", type=pathlib.Path, help="write the figures to this file")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        measurements = [Measurement(name, command) for name, command in
                        commands(options.spireac, options.clang, pathlib.Path(folder)).items()]
        for measurement in measurements:  # once to warm the file cache, not counted
            measurement.run()
            measurement.wall, measurement.cpu, measurement.memory = [], [], []
        for _ in range(options.runs):
            for measurement in measurements:
                measurement.run()

    figures = {measurement.name: measurement.summary() for measurement in measurements}
    print(f"{'':24}{'wall ms':>9}{'CPU ms':>9}{'peak MiB':>10}   median of {options.runs}")
    for name, figure in figures.items():
        print(f"{name:24}{figure['wall_ms']:9.1f}{figure['cpu_ms']:9.1f}{figure['peak_mib']:10.1f}")
    ratios, good = [], True
    for name, unit, ours, theirs, limit in RATIOS:
        ratio = figures[ours][unit] / figures[theirs][unit]
        good = good and ratio <= limit
        ratios.append({"name": name, "ratio": ratio, "limit": limit})
        print(f"{name:46} {ratio:5.2f}  (at most {limit}) {'' if ratio <= limit else 'EXCEEDED'}")
    if options.json:
        options.json.write_text(json.dumps({"runs": options.runs, "figures": figures, "ratios": ratios}, indent=1))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
