# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times of launches by spirea-run, for the benchmarks of kernels."""

import os
import re
import subprocess


def launch_times(options, device, target, kernel, arguments, environment=None):
    """Milliseconds of each of `options.repeat` launches of `options.size` invocations but the first, which compiles.
    `arguments`: NAME=VALUE for each parameter other than `in`, which gets random floats from 0 to 1."""
    command = [options.bin / "spirea-run", target, "--kernel", kernel, "--device", device, "--grid", str(options.size),
               "--arg", f"in=rand:{options.size}", "--limit", "0", "--time", "--repeat", str(options.repeat)]
    for argument in arguments:
        command += ["--arg", argument]
    result = subprocess.run(command, check=True, capture_output=True, text=True,
                            env={**os.environ, "SPIREA_QUIET": "1", **(environment or {})})
    return [float(ms) for ms in re.findall(r": ([0-9.]+) ms", result.stdout + result.stderr)][1:]
