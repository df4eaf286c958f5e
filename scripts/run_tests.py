#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs lit over a build folder's tests: GoogleTest binaries, FileCheck tests and scripts alike.

Prints failures, what was skipped, and the slowest tests; the summary file gets one line,
"N passed, N failed, N skipped". Exits with 1 if a test failed or if there were none.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
SKIPPED = {"SKIPPED", "UNSUPPORTED", "EXCLUDED"}


def find_lit(build):
    for line in (build / "CMakeCache.txt").read_text().splitlines():
        if line.startswith("SPIREA_LLVM_TOOLS_DIR:"):
            return pathlib.Path(line.split("=", 1)[1]) / "lit"
    sys.exit(f"error: '{build}' was configured without tests")


def run_lit(build, results, arguments):
    results.unlink(missing_ok=True)
    command = [str(find_lit(build)), "--output", str(results), "-v", "--show-unsupported", "--show-skipped"]
    subprocess.run(command + (arguments or [str(build / "tests" / suite) for suite in ("lit", "unit")]), check=False)
    if not results.exists():
        sys.exit("error: lit made no results")
    return json.loads(results.read_text())["tests"]


def print_slowest(tests, count=8):
    print("slowest tests:")
    for test in sorted(tests, key=lambda t: -(t["elapsed"] or 0))[:count]:
        print(f"  {test['elapsed'] or 0:7.2f} s  {test['name']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="build folder")
    parser.add_argument("--summary", type=pathlib.Path, help="file for the last line")
    parser.add_argument("lit", nargs="*", help="lit's arguments (default: all tests)")
    options = parser.parse_args()

    build = options.build.resolve()
    tests = run_lit(build, build / "tests" / "results.json", options.lit)
    passed = sum(test["code"] in PASSED for test in tests)
    skipped = sum(test["code"] in SKIPPED for test in tests)
    failed = len(tests) - passed - skipped
    print_slowest(tests)
    line = f"{passed} passed, {failed} failed, {skipped} skipped"
    if options.summary:
        options.summary.write_text(line + "\n")
    else:
        print(line)
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
