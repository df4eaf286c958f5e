#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks what a compiler does not: which folders include which, sizes of files, headers of files, and that paths
named in documents exist. Prints each violation as file:line: message; exits with 1 if there are any."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Folder -> prefixes of project includes, and groups of system includes, that its files may name. The longest folder
# that contains a file counts. docs/architecture.md has the same table for readers.
LLVM = ("llvm/", "llvm-c/", "clang/", "clang-c/")
SPIRV = ("spirv/", "spirv-tools/")
VULKAN = ("vulkan/", "volk.h")
COMPRESSION = ("zstd.h", "xxhash.h")
FOLDERS = {
    "ir": (["ir/"], ()),
    "ir/abi": (["ir/abi/"], ()),
    "frontend": (["frontend/", "ir/"], LLVM),
    "codegen-spirv": (["codegen-spirv/", "ir/"], SPIRV),
    "codegen-host": (["codegen-host/", "ir/"], LLVM),
    "compiler": (["compiler/", "frontend/", "codegen-spirv/", "codegen-host/", "ir/", "runtime/"],
                 COMPRESSION + ("CLI/", "nlohmann/", "spirea/")),
    "compiler/tools/spirea-opt.cpp": (["ir/", "codegen-spirv/"], ("CLI/",)),
    "compiler/tools/spirea-info.cpp": (["runtime/"], ("CLI/", "nlohmann/", "spirea/")),
    "runtime": (["runtime/", "ir/abi/"], COMPRESSION + ("spirea/",)),
    "runtime/include": (["runtime/include/"], ("spirea/",)),
    "runtime/vulkan": (["runtime/", "ir/abi/"], COMPRESSION + VULKAN + ("spirea/",)),
    "samples": ([], ("spirea/", "png.h")),
}
# Headers of the system and the standard library; anything else in <> must be in a folder's list.
THIRD_PARTY = LLVM + SPIRV + VULKAN + COMPRESSION + ("CLI/", "nlohmann/", "spirea/", "png.h", "gtest/", "gmock/",
                                                      "CL/", "cuda")

MAX_LINES = 800
SOURCES = (".h", ".hpp", ".cpp", ".c")
WITH_HEADER = SOURCES + (".py", ".sh", ".cmake", ".def")
HEADER = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]')
CITED = re.compile(r"`([A-Za-z0-9_.][A-Za-z0-9_./-]*/[A-Za-z0-9_./-]*)`|\]\(([A-Za-z0-9_./-]+)\)")

problems = []


def report(path, line, message):
    problems.append(f"{path}:{line}: {message}")


def tracked_files():
    names = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
                           stdout=subprocess.PIPE).stdout.decode()
    return [name for name in names.split("\0") if name and (ROOT / name).is_file()]


def rules_of(name):
    matches = [folder for folder in FOLDERS if name == folder or name.startswith(folder + "/")]
    return FOLDERS[max(matches, key=len)] if matches else None


def check_include(name, number, quote, included):
    rules = rules_of(name)
    if rules is None:
        return
    own, system = rules
    if quote == '"':
        first_party = included.split("/")[0] in {folder.split("/")[0] for folder in FOLDERS}
        if first_party and not included.startswith(tuple(own)):
            report(name, number, f"this folder may not include '{included}'")
        elif not first_party and not included.startswith(system) and (ROOT / "ir").is_dir() and "/" in included:
            report(name, number, f"'{included}' is not a path from the root of the repository")
    elif included.startswith(THIRD_PARTY) and not included.startswith(tuple(system)):
        report(name, number, f"this folder may not include <{included}>")


def check_source(name, lines):
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if match:
            check_include(name, number, *match.groups())


def check_size(name, lines):
    if len(lines) > MAX_LINES and not name.startswith("docs/"):
        report(name, MAX_LINES, f"{len(lines)} lines; {MAX_LINES} at most: split the file by its jobs")


def check_citations(name, lines):
    """Every `folder/file` that a document names exists, seen from the root or from the document's folder."""
    fenced = False
    for number, line in enumerate(lines, 1):
        fenced ^= line.lstrip().startswith("```")
        if fenced:
            continue
        for match in CITED.finditer(line):
            cited = match.group(1) or match.group(2)
            top = cited.split("/")[0]
            if match.group(1) and (not (ROOT / top).exists() or top == "build") and top != "..":
                continue  # not a path of ours: c++/12, a/b
            if any(part.split(".")[0] == "name" for part in cited.split("/")):
                continue  # a placeholder
            if not any((base / cited).exists() for base in (ROOT, (ROOT / name).parent)):
                report(name, number, f"'{cited}' does not exist")


def main():
    for name in tracked_files():
        path = ROOT / name
        suffix = path.suffix
        if suffix not in WITH_HEADER + (".md", ".txt"):
            continue
        lines = path.read_text(encoding="utf-8").splitlines()
        check_size(name, lines)
        is_input = "/Inputs/" in name or name.startswith("tests/") and any("RUN:" in line for line in lines)
        if suffix in WITH_HEADER and not is_input and not any(HEADER in line for line in lines[:2]):
            report(name, 1, "the SPDX line is missing")
        if suffix in SOURCES:
            check_source(name, lines)
        if suffix == ".md":
            check_citations(name, lines)
    for problem in sorted(problems):
        print(problem)
    print(f"{len(problems)} problems in the sources")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
