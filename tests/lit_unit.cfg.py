# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GoogleTest binaries: each test of each build/tests/unit/*Tests is a test of its own."""

import os
import sys

import lit.formats

sys.path.insert(0, os.path.join(config.spirea_source, "tests"))
import lit_environment

config.name = "spirea-unit"
config.test_format = lit.formats.GoogleTest(".", "Tests")
config.suffixes = []
config.test_source_root = config.test_exec_root = os.path.join(config.spirea_build, "tests", "unit")
lit_environment.apply(config)
