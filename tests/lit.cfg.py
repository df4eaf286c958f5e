# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""FileCheck tests and scripts: every .kir and .test file of this folder, and .cpp and .c files with RUN lines."""

import os
import sys

sys.path.insert(0, os.path.join(config.spirea_source, "tests"))
import lit_environment

config.name = "spirea"
config.test_format = lit_environment.RunLineTest(execute_external=False)
config.suffixes = [".kir", ".test", ".cpp", ".c"]
config.excludes = ["Inputs", "CMakeLists.txt"]
config.test_source_root = os.path.join(config.spirea_source, "tests")
config.test_exec_root = os.path.join(config.spirea_build, "tests", "lit")

lit_environment.apply(config)

tools = os.path.join(config.spirea_build, "bin")
for tool in ["spireac", "spirea-opt", "spirea-reduce", "spirea-run", "spirea-info"]:
    config.substitutions.append(("%" + tool, os.path.join(tools, tool)))
    if os.path.exists(os.path.join(tools, tool)):
        config.available_features.add(tool)
config.substitutions += [
    ("%source", config.spirea_source),
    ("%build", config.spirea_build),
    ("%cxx", config.cxx),
    ("%cmake", config.cmake),
    ("%python", sys.executable),
]
