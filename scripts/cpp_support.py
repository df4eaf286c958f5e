#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes docs/cpp-support.md from what the tests do: runs the execution tests on every device, and lists what the
frontend's tests show to be an error.

With --check nothing is written: prints the difference and exits with 1 if the page is stale. A device that this
machine lacks keeps its column of the page.
"""

import argparse
import difflib
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "cpp-support.md"
DEVICES = {"interp": "interpreter", "host": "host", "vulkan": "Vulkan"}
# Sources of tests/execution in the order of the page, and what they are about.
SECTIONS = {
    "integers.cpp": "Integer arithmetic",
    "floats.cpp": "Floating point",
    "math.cpp": "Functions of <cmath>",
    "strict.cpp": "IEEE arithmetic (-fp=strict)",
    "fast.cpp": "Approximations (-fp=fast, spirea::native)",
    "control_flow.cpp": "Statements",
    "control/loops.cpp": "Loops",
    "control/switches.cpp": "Switches",
    "control/gotos.cpp": "Goto",
    "control/large.cpp": "Deep and long bodies",
    "control/nesting.cpp": "Deeper than drivers can",
    "memory.cpp": "Objects and arrays",
    "memory/constants.cpp": "Constant data",
    "memory/layout.cpp": "Layouts and widths",
    "memory/wide.cpp": "Integers of 128 bits",
    "memory/punning.cpp": "Bytes of objects",
    "pointers/locals.cpp": "Pointers to locals",
    "pointers/in_memory.cpp": "Pointers in memory",
    "pointers/stored.cpp": "Pointers to several kinds of memory",
    "pointers/device.cpp": "Pointers to device memory",
    "pointers/in_device_memory.cpp": "Pointers in device memory",
    "parameters.cpp": "Parameters",
    "launch.cpp": "Launches",
    "language.cpp": "Templates, classes, lambdas",
    "objects/classes.cpp": "Classes",
    "objects/virtual.cpp": "Virtual functions",
    "objects/features.cpp": "Language features since C++11",
    "library/algorithms.cpp": "Algorithms and numeric",
    "library/types.cpp": "Vocabulary types, views, random numbers, text",
    "types/half.cpp": "16-bit floats: half",
    "types/bfloat16.cpp": "16-bit floats: bfloat16",
    "types/vec.cpp": "Vectors",
    "parallel/shared.cpp": "Workgroup memory and barriers",
    "parallel/atomics.cpp": "Atomics",
    "parallel/subgroups.cpp": "Subgroups",
    "algorithms.cpp": "Whole algorithms",
    "parallel/algorithms.cpp": "Whole algorithms of invocations that work together",
    "messages/printing.cpp": "printf",
    "messages/assertions.cpp": "assert",
    "messages/checks.cpp": "Checks of -fsanitize",
    "messages/buffers.cpp": "Checks of accesses to buffers",
    "shapes/peers.cpp": "Shapes that other compilers reject",
    "drivers.cpp": "Shapes that drivers get wrong",
}
HEADER = """# What of C++ kernels can use

<!-- generated from the tests: scripts/cpp_support.py -->

Each row is a test of `tests/execution`: a kernel that uses the construct, run on the device, compared with the same function as
the host's compiler compiles it: integers to the bit, floats within the bound that the test states. "yes": alike. A dash: the
test does not run there.
"""


def run_tests(build):
    """The tests with a result of at least one device, as (file, line, name, {device: result})."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        command = [str(build / "tests" / "unit" / "executionTests"), "--gtest_brief=1", f"--gtest_output=json:{report}"]
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        if not report.exists():
            sys.exit("error: the execution tests did not come to their end")
        suites = json.loads(report.read_text())["testsuites"]
    rows = []
    for suite in suites:
        for test in suite["testsuite"]:
            results = {device: test[device] for device in DEVICES if device in test}
            if results:
                # __FILE__ is relative to the build folder where ccache makes it so.
                path = (build / test["file"]).resolve()
                name = path.relative_to(ROOT / "tests" / "execution").as_posix()
                rows.append((name, test["line"], test["name"], results))
    return rows


def unsupported(build):
    """The names of what is an error, from the parameters of the frontend's tests."""
    command = [str(build / "tests" / "unit" / "frontendTests"), "--gtest_list_tests"]
    listing = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    names, inside = [], False
    for line in listing.splitlines():
        if not line.startswith(" "):
            inside = "Unsupported" in line
        elif inside:
            names.append(line.split("#")[0].strip().split("/")[-1])
    return names


def column_of_page(device):
    """The results of a device that the page has, by the test's name."""
    index = list(DEVICES).index(device) + 1
    rows = [line.split("|")[1:-1] for line in PAGE.read_text().splitlines() if line.startswith("| ")] if PAGE.exists() else []
    return {row[0].strip(): row[index].strip() for row in rows if len(row) > index}


def readable(name):
    return name.replace("_", " ")


def page(rows, errors):
    missing = {device: column_of_page(device) for device in DEVICES if not any(device in row[3] for row in rows)}
    text = HEADER + f"\n{len(rows)} constructs.\n"
    unknown = {row[0] for row in rows} - set(SECTIONS)
    if unknown:
        sys.exit(f"error: {sorted(unknown)} have no title in {pathlib.Path(__file__).name}")
    for source, title in SECTIONS.items():
        tests = sorted((row for row in rows if row[0] == source), key=lambda row: row[1])
        if not tests:
            continue
        text += f"\n## {title}\n\n`tests/execution/{source}`\n\n"
        text += f"| construct | {' | '.join(DEVICES.values())} |\n| --- |{' --- |' * len(DEVICES)}\n"
        for _, _, name, results in tests:
            cells = [missing[device].get(readable(name), "-") if device in missing else results.get(device, "-")
                     for device in DEVICES]
            text += f"| {readable(name)} | {' | '.join(cells)} |\n"
    text += "\n## Errors\n\nEach is reported at its line, with the calls from the kernel as notes; the tests are in `tests/frontend`.\n\n"
    return text + "".join(f"- {readable(name)}\n" for name in errors)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="build folder")
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    options = parser.parse_args()

    new = page(run_tests(options.build.resolve()), unsupported(options.build.resolve()))
    if not options.check:
        PAGE.write_text(new)
        return 0
    old = PAGE.read_text() if PAGE.exists() else ""
    if old == new:
        return 0
    sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), new.splitlines(True), str(PAGE), "the tests' results"))
    print(f"docs/cpp-support.md is stale; to accept: scripts/cpp_support.py {options.build}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
