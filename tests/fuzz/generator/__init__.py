# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random C++ kernels whose meaning the standard and the ABI fix: tests/fuzz/README.md."""
