// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/library_functions.h"

#include <algorithm>
#include <llvm/IR/Module.h>

#include "frontend/link_assembly.h"

namespace spirea::frontend {
namespace {

constexpr llvm::StringLiteral kNames[] = {"memcmp", "bcmp",    "memchr", "strlen",
                                          "strcmp", "strncmp", "strchr"};

constexpr char kBodies[] = R"ir(
define i32 @memcmp(ptr %a, ptr %b, i64 %n) {
entry:
  br label %test
test:
  %i = phi i64 [ 0, %entry ], [ %next, %step ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %look, label %same
look:
  %pa = getelementptr inbounds i8, ptr %a, i64 %i
  %pb = getelementptr inbounds i8, ptr %b, i64 %i
  %x = load i8, ptr %pa
  %y = load i8, ptr %pb
  %alike = icmp eq i8 %x, %y
  br i1 %alike, label %step, label %other
step:
  %next = add nuw i64 %i, 1
  br label %test
other:
  %wx = zext i8 %x to i32
  %wy = zext i8 %y to i32
  %difference = sub nsw i32 %wx, %wy
  ret i32 %difference
same:
  ret i32 0
}

define i32 @bcmp(ptr %a, ptr %b, i64 %n) {
  %order = call i32 @memcmp(ptr %a, ptr %b, i64 %n)
  ret i32 %order
}

define ptr @memchr(ptr %s, i32 %c, i64 %n) {
entry:
  %wanted = trunc i32 %c to i8
  br label %test
test:
  %i = phi i64 [ 0, %entry ], [ %next, %step ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %look, label %nowhere
look:
  %p = getelementptr inbounds i8, ptr %s, i64 %i
  %x = load i8, ptr %p
  %found = icmp eq i8 %x, %wanted
  br i1 %found, label %here, label %step
step:
  %next = add nuw i64 %i, 1
  br label %test
here:
  ret ptr %p
nowhere:
  ret ptr null
}

define i64 @strlen(ptr %s) {
entry:
  br label %look
look:
  %i = phi i64 [ 0, %entry ], [ %next, %look ]
  %p = getelementptr inbounds i8, ptr %s, i64 %i
  %x = load i8, ptr %p
  %end = icmp eq i8 %x, 0
  %next = add nuw i64 %i, 1
  br i1 %end, label %out, label %look
out:
  ret i64 %i
}

define i32 @strncmp(ptr %a, ptr %b, i64 %n) {
entry:
  br label %test
test:
  %i = phi i64 [ 0, %entry ], [ %next, %step ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %look, label %same
look:
  %pa = getelementptr inbounds i8, ptr %a, i64 %i
  %pb = getelementptr inbounds i8, ptr %b, i64 %i
  %x = load i8, ptr %pa
  %y = load i8, ptr %pb
  %alike = icmp eq i8 %x, %y
  br i1 %alike, label %ended, label %other
ended:
  %end = icmp eq i8 %x, 0
  br i1 %end, label %same, label %step
step:
  %next = add nuw i64 %i, 1
  br label %test
other:
  %wx = zext i8 %x to i32
  %wy = zext i8 %y to i32
  %difference = sub nsw i32 %wx, %wy
  ret i32 %difference
same:
  ret i32 0
}

define i32 @strcmp(ptr %a, ptr %b) {
  %order = call i32 @strncmp(ptr %a, ptr %b, i64 -1)
  ret i32 %order
}

define ptr @strchr(ptr %s, i32 %c) {
entry:
  %wanted = trunc i32 %c to i8
  br label %look
look:
  %i = phi i64 [ 0, %entry ], [ %next, %step ]
  %p = getelementptr inbounds i8, ptr %s, i64 %i
  %x = load i8, ptr %p
  %found = icmp eq i8 %x, %wanted
  br i1 %found, label %here, label %test
test:
  %end = icmp eq i8 %x, 0
  br i1 %end, label %nowhere, label %step
step:
  %next = add nuw i64 %i, 1
  br label %look
here:
  ret ptr %p
nowhere:
  ret ptr null
}
)ir";

bool calls_any(const llvm::Module& module) {
  return std::any_of(std::begin(kNames), std::end(kNames), [&](llvm::StringRef name) {
    const llvm::Function* function = module.getFunction(name);
    return function != nullptr && function->isDeclaration() && !function->use_empty();
  });
}

}  // namespace

void define_library_functions(llvm::Module& module) {
  if (calls_any(module)) link_assembly(module, kBodies, Linked::Needed);
}

}  // namespace spirea::frontend
