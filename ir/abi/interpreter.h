// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface of libspirea-interp.so, which the runtime loads when SPIREA_DEVICE=interp asks for it.
#pragma once

#include <cstdint>

extern "C" {

typedef struct spirea_interp spirea_interp;                // a device: its memory
typedef struct spirea_interp_module spirea_interp_module;  // a parsed KIR module

struct spirea_interp_launch {
  const char* kernel;          ///< Manifest::name
  const void* argument_block;  ///< laid out as the manifest says; buffers by address
  std::uint64_t argument_size;
  std::uint32_t num_workgroups[3];
  std::uint32_t workgroup_size[3];
  std::uint32_t dynamic_shared;  ///< bytes of workgroup memory beyond the manifest's
};

/// The functions, by table: the one exported symbol is spirea_interp_api. Functions that can fail return null
/// or nonzero and leave a message (diagnostics with C++ lines, several lines) that last_error returns for
/// this thread.
struct spirea_interp_functions {
  std::uint32_t abi;  ///< spirea_abi_version
  spirea_interp* (*create)();
  void (*destroy)(spirea_interp*);
  /// Device memory of `size` bytes, uninitialized until written; returns its address, 0 on failure. Addresses
  /// are not host pointers: gaps lie between buffers, so that any access outside of one is seen.
  std::uint64_t (*allocate)(spirea_interp*, std::uint64_t size, std::uint64_t align);
  int (*release)(spirea_interp*, std::uint64_t address);
  int (*write)(spirea_interp*, std::uint64_t address, const void* data, std::uint64_t size);
  /// Reads bytes; uninitialized ones read as 0xCD (a host program may copy padding).
  int (*read)(spirea_interp*, std::uint64_t address, void* data, std::uint64_t size);
  spirea_interp_module* (*load)(spirea_interp*, const char* kir_text, std::uint64_t size);
  void (*unload)(spirea_interp_module*);
  int (*launch)(spirea_interp*, spirea_interp_module*, const spirea_interp_launch*);
  const char* (*last_error)();
  /// 0 for a device whose f32 arithmetic takes subnormal numbers for zero.
  int (*keeps_subnormals)(const spirea_interp*);
};

/// Exported by the library under this name.
const spirea_interp_functions* spirea_interp_api();
typedef const spirea_interp_functions* (*spirea_interp_api_type)();
}
