#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles random C++ kernels and compares what they compute, bit by bit, with the same functions as plain C++.

Exits with 0 if all agree, 1 after a difference or an error. A program that fails is kept with its KIR.

examples:
  tests/fuzz/random_programs.py --build build --count 200
  tests/fuzz/random_programs.py --build build --seed 5000 --count 1 --keep .     one program, to look at
  tests/fuzz/random_programs.py --build build --count 1000 --devices interp,host --without sort
"""

import argparse
import concurrent.futures
import dataclasses
import os
import pathlib
import subprocess
import sys
import tempfile

from generator.program import FEATURES, KNOWN_GAPS, Program

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Both compilers: no fused multiply-add that one of them would not make.
FLAGS = ["-std=c++20", "-w", "-ffp-contract=off", f"-I{ROOT}", f"-I{ROOT / 'runtime/include'}"]


@dataclasses.dataclass
class Failure:
    seed: int
    where: str  # a device, or the step that failed
    message: str


def translation_unit(programs, planted=None):
    """The programs, and a main function that the device compile does not see. `planted` is the seed of a program that
    the two compiles see differently, to test this test."""
    plant = f"#define FUZZ_PLANTED {planted}" if planted is not None else ""
    entries = "".join(f"      {{{p.seed}, fuzz::check<{p.namespace}::run>}},\n" for p in programs)
    return "\n".join([plant, '#include "tests/fuzz/prelude.h"', ""] + [p.text for p in programs] + [
        "#ifndef __SPIREA_DEVICE__", '#include "tests/fuzz/programs.h"', "int main(int argc, char** argv) {",
        "  static const fuzz::Entry entries[] = {", entries + "  };", "  return fuzz::run_all(entries, argc, argv);",
        "}", "#endif", ""])


class Session:
    def __init__(self, options):
        self.options = options
        self.build = options.build.resolve()
        self.spireac = self.build / "bin" / "spireac"

    def run(self, command, timeout):
        """(exit status, output); a timeout is a status of its own."""
        environment = dict(os.environ, SPIREA_QUIET="1", SPIREA_VULKAN_VALIDATION="fatal")
        try:
            done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  timeout=timeout, check=False, env=environment, text=True, errors="replace")
        except subprocess.TimeoutExpired as expired:
            text = expired.output or b""
            return "timeout", text.decode(errors="replace") if isinstance(text, bytes) else text
        return done.returncode, done.stdout

    def build_programs(self, programs, folder):
        """None, or the step that failed and what it printed."""
        source = folder / "programs.cpp"
        source.write_text(translation_unit(programs, self.options.plant))
        device, host = folder / "device.o", folder / "host.o"
        steps = [
            ("spireac", [self.spireac, *FLAGS, "-c", source, "-o", device]),
            ("host compiler", [self.options.cxx, *FLAGS, self.options.cxx_optimize, "-c", source, "-o", host]),
            ("linker", [self.options.cxx, host, device, f"-L{self.build / 'lib'}", "-lspirea",
                        f"-Wl,-rpath,{self.build / 'lib'}", "-o", folder / "programs"]),
        ]
        for name, command in steps:
            status, output = self.run(command, 20 + 5 * len(programs))
            if status != 0:
                lines = [line for line in output.splitlines() if "error:" in line] or output.splitlines()
                return name, f"status {status}: {lines[0] if lines else 'no message'}"
        return None

    def check(self, seeds):
        """The failures of these programs. What breaks a whole batch is looked for in its halves."""
        programs = [Program(seed, self.options.features) for seed in seeds]
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            problem = self.build_programs(programs, folder)
            if problem is None:
                devices = self.options.devices.split(",")
                status, output = self.run([folder / "programs", *devices], 20 + 10 * len(programs))
                failures = [Failure(int(words[1]), words[2], words[3]) for line in output.splitlines()
                            if line.startswith("FAIL ") and len(words := line.split(" ", 3)) == 4]
                if output.count("DONE ") == len(programs):
                    return failures
                problem = ("run", f"status {status}: {output.splitlines()[-1] if output else 'no output'}")
        if len(seeds) == 1:
            return [Failure(seeds[0], *problem)]
        half = len(seeds) // 2
        return self.check(seeds[:half]) + self.check(seeds[half:])

    def keep(self, failure):
        """Source and KIR of the program, and what went wrong."""
        folder = self.options.keep
        folder.mkdir(parents=True, exist_ok=True)
        program = Program(failure.seed, self.options.features)
        source = folder / f"{program.namespace}.cpp"
        source.write_text(f"// {failure.where}: {failure.message}\n" + translation_unit([program], self.options.plant))
        self.run([self.spireac, *FLAGS, "--emit=kir", source, "-o", source.with_suffix(".kir")], 60)
        return source


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, help="Spirea's build folder")
    parser.add_argument("--print", action="store_true", help="print the programs instead (default then: one)")
    parser.add_argument("--plant", type=int, help="make the device's version of this seed's program differ")
    parser.add_argument("--seed", type=int, default=1, help="of the first program (default: 1)")
    parser.add_argument("--count", type=int, help="programs (default: 200)")
    parser.add_argument("--devices", default="interp,host,vulkan", help="default: interp,host,vulkan")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time (default: one a core)")
    parser.add_argument("--batch", type=int, default=50, help="programs in a translation unit (default: 50)")
    parser.add_argument("--cxx", default="g++", help="host compiler (default: g++)")
    # Optimization would find the host compiler's mistakes, not ours, and takes most of the time.
    parser.add_argument("--cxx-optimize", default="-O0", help="the host compiler's optimization (default: -O0)")
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("fuzz-failures"),
                        help="folder for programs that fail (default: fuzz-failures)")
    parser.add_argument("--with", dest="extra", action="append", default=[], choices=sorted(KNOWN_GAPS),
                        help="a construct that is not supported yet")
    parser.add_argument("--without", action="append", default=[], choices=sorted(FEATURES), help="leave a construct out")
    options = parser.parse_args()
    if options.count is None:
        options.count = 1 if options.print else 200
    if options.build is None and not options.print:
        parser.error("--build is missing")
    options.features = FEATURES - set(options.without) | set(options.extra)
    return options


def main():
    options = parse_arguments()
    seeds = list(range(options.seed, options.seed + options.count))
    if options.print:
        print(translation_unit([Program(seed, options.features) for seed in seeds]), end="")
        return 0
    session = Session(options)
    batches = [seeds[i : i + options.batch] for i in range(0, len(seeds), options.batch)]
    failed, done = set(), 0
    with concurrent.futures.ThreadPoolExecutor(max(1, options.jobs)) as pool:
        for batch, failures in zip(batches, pool.map(session.check, batches)):
            done += len(batch)
            for failure in failures:
                print(f"seed {failure.seed}: {failure.where}: {failure.message}", flush=True)
                failed.add(failure.seed)
                print(f"  kept {session.keep(failure)}", flush=True)
            if sys.stdout.isatty():
                print(f"{done} of {len(seeds)}", end="\r", flush=True)
    print(f"{len(seeds)} programs, {len(failed)} failed, on {options.devices}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
