// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Precompiled for this folder's sources; each still includes what it uses.
#pragma once

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <memory>
#include <string>
#include <vector>

#include "ir/core/module.h"
