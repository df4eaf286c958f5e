# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What both suites share: what tests see of the environment, and which files are tests."""

import os

import lit.formats


class RunLineTest(lit.formats.ShTest):
    """Sources of unit tests are C++, too: those without a RUN line are not tests."""

    def getTestsInDirectory(self, suite, path_in_suite, lit_config, local_config):
        for test in super().getTestsInDirectory(suite, path_in_suite, lit_config, local_config):
            path = test.getSourcePath()
            if path.endswith((".cpp", ".c")):
                with open(path, encoding="utf-8", errors="replace") as source:
                    if "RUN:" not in source.read():
                        continue
            yield test


def apply(config):
    path = [os.path.join(config.spirea_build, "bin"), config.llvm_tools, config.environment.get("PATH", "")]
    config.environment["PATH"] = os.pathsep.join(path)
    # Every use of Vulkan is checked by the validation layer, whose first message ends the process.
    config.environment["SPIREA_VULKAN_VALIDATION"] = "fatal"
    # Falling back to another device is said on the standard error, which tests compare.
    config.environment["SPIREA_QUIET"] = "1"
    for name in ["HOME", "LANG", "XDG_RUNTIME_DIR", "SPIREA_REQUIRE_DEVICES", "SPIREA_TEST_DEVICES",
                 "VK_DRIVER_FILES", "VK_ICD_FILENAMES", "ASAN_OPTIONS", "UBSAN_OPTIONS"]:
        if name in os.environ:
            config.environment[name] = os.environ[name]
