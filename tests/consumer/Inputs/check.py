#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the consumer project with a Spirea found under PREFIX, runs it, and checks what later builds rebuild."""

import os
import pathlib
import shutil
import subprocess
import sys
import time

MAIN = {"main.cpp.o", "main.cpp.spirea.o", "app"}
TWICE = {"twice.cpp.o", "twice.cpp.spirea.o", "app"}


def run(*command):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stdout}")
    return result.stdout


def outputs(build):
    """Modification times of everything that the build makes from sources."""
    files = [path for path in build.rglob("*") if path.name.endswith(".o") or path.name == "app"]
    return {path.name: path.stat().st_mtime_ns for path in files if "CompilerId" not in str(path)}


class Project:
    def __init__(self, cmake, prefix, work, generator):
        shutil.rmtree(work, ignore_errors=True)
        self.source = work / "source with blank"
        self.build = work / "build"
        shutil.copytree(pathlib.Path(__file__).parent / "project", self.source)
        run(cmake, "-G", generator, "-S", self.source, "-B", self.build, f"-DCMAKE_PREFIX_PATH={prefix}")
        self.cmake = cmake
        self.make()

    def make(self):
        run(self.cmake, "--build", self.build)

    def expect_rebuilt(self, touched, expected):
        """Builds after a file was touched, or after none was."""
        before = outputs(self.build)
        time.sleep(0.05)
        if touched:
            os.utime(self.source / touched)
        self.make()
        after = outputs(self.build)
        rebuilt = {name for name, mtime in after.items() if mtime != before.get(name)}
        if rebuilt != expected:
            sys.exit(f"after touching {touched}: rebuilt {sorted(rebuilt)}, expected {sorted(expected)}")
        print(f"touched {touched}: rebuilt {', '.join(sorted(rebuilt)) or 'nothing'}")


def main():
    cmake, prefix, work, generator = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), sys.argv[4]
    project = Project(cmake, prefix, work, generator)
    print(run(project.build / "app"), end="")
    project.expect_rebuilt(None, set())
    project.expect_rebuilt("include/factor.h", MAIN)
    project.expect_rebuilt("kernels/twice.h", MAIN | TWICE)
    project.expect_rebuilt("kernels/twice.cpp", TWICE)
    project.expect_rebuilt(None, set())


if __name__ == "__main__":
    main()
