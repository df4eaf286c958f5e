// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout is that of ir/abi/messages.h.
#include "frontend/message_code.h"

#include <llvm/IR/Module.h>

#include "frontend/link_assembly.h"
#include "ir/abi/messages.h"

namespace spirea::frontend {
namespace {

static_assert(abi::kUsedWords == 0 && abi::kLostMessages == 1 && abi::kCapacityWords == 2 &&
              abi::kFailedChecks == 3 && abi::kFailure == 4 && abi::kFirstRecord == 12 &&
              abi::kRecordHeaderWords == 5);

constexpr char kBodies[] = R"ir(
declare i32 @__spirea_global_id(i32)

define internal void @spirea.message.head(ptr %head, i32 %number) {
  %x = call i32 @__spirea_global_id(i32 0)
  %y = call i32 @__spirea_global_id(i32 1)
  %z = call i32 @__spirea_global_id(i32 2)
  %px = getelementptr i32, ptr %head, i64 1
  %py = getelementptr i32, ptr %head, i64 2
  %pz = getelementptr i32, ptr %head, i64 3
  store i32 %number, ptr %head, align 4
  store i32 %x, ptr %px, align 4
  store i32 %y, ptr %py, align 4
  store i32 %z, ptr %pz, align 4
  ret void
}

; The record's first word, or 0 if there is no place for it. A buffer that is full is not asked again, so that
; the number of words never wraps.
define i32 @spirea.message.begin(ptr %buffer, i32 %words, i32 %number) {
entry:
  %pcapacity = getelementptr i32, ptr %buffer, i64 2
  %capacity = load i32, ptr %pcapacity, align 4
  %before = load atomic i32, ptr %buffer monotonic, align 4
  %full = icmp uge i32 %before, %capacity
  br i1 %full, label %lost, label %reserve
reserve:
  %used = atomicrmw add ptr %buffer, i32 %words monotonic, align 4
  %end = add i32 %used, %words
  %fits = icmp ule i32 %end, %capacity
  %at = add i32 %used, 12
  %index = zext i32 %at to i64
  %record = getelementptr i32, ptr %buffer, i64 %index
  br i1 %fits, label %write, label %late
late:
  %crosses = icmp ult i32 %used, %capacity
  br i1 %crosses, label %close, label %lost
close:
  store i32 0, ptr %record, align 4
  br label %lost
lost:
  %plost = getelementptr i32, ptr %buffer, i64 1
  %count = atomicrmw add ptr %plost, i32 1 monotonic, align 4
  br label %out
write:
  store i32 %words, ptr %record, align 4
  %head = getelementptr i32, ptr %record, i64 1
  call void @spirea.message.head(ptr %head, i32 %number)
  br label %out
out:
  %result = phi i32 [ 0, %lost ], [ %at, %write ]
  ret i32 %result
}

; Whether it is the first, which alone is described.
define i1 @spirea.message.fail(ptr %buffer, i32 %number) {
entry:
  %pcount = getelementptr i32, ptr %buffer, i64 3
  %count = atomicrmw add ptr %pcount, i32 1 monotonic, align 4
  %first = icmp eq i32 %count, 0
  br i1 %first, label %write, label %out
write:
  %head = getelementptr i32, ptr %buffer, i64 4
  call void @spirea.message.head(ptr %head, i32 %number)
  br label %out
out:
  ret i1 %first
}

; Bytes before the string's end, at most so many.
define i32 @spirea.message.length(ptr %s, i32 %max) {
entry:
  br label %test
test:
  %i = phi i32 [ 0, %entry ], [ %next, %step ]
  %more = icmp ult i32 %i, %max
  br i1 %more, label %look, label %out
look:
  %index = zext i32 %i to i64
  %p = getelementptr i8, ptr %s, i64 %index
  %c = load i8, ptr %p, align 1
  %end = icmp eq i8 %c, 0
  br i1 %end, label %out, label %step
step:
  %next = add i32 %i, 1
  br label %test
out:
  ret i32 %i
}

; Each byte stores its word again, with the bytes before it.
define void @spirea.message.copy(ptr %to, ptr %s, i32 %n) {
entry:
  br label %test
test:
  %i = phi i32 [ 0, %entry ], [ %next, %step ]
  %before = phi i32 [ 0, %entry ], [ %word, %step ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %step, label %out
step:
  %index = zext i32 %i to i64
  %p = getelementptr i8, ptr %s, i64 %index
  %c = load i8, ptr %p, align 1
  %wide = zext i8 %c to i32
  %byte = and i32 %i, 3
  %shift = shl i32 %byte, 3
  %placed = shl i32 %wide, %shift
  %starts = icmp eq i32 %byte, 0
  %kept = select i1 %starts, i32 0, i32 %before
  %word = or i32 %kept, %placed
  %w = lshr i32 %i, 2
  %windex = zext i32 %w to i64
  %pw = getelementptr i32, ptr %to, i64 %windex
  store i32 %word, ptr %pw, align 4
  %next = add i32 %i, 1
  br label %test
out:
  ret void
}
)ir";

}  // namespace

void define_message_functions(llvm::Module& module) {
  if (module.getFunction("spirea.message.begin") == nullptr) link_assembly(module, kBodies, Linked::All);
}

}  // namespace spirea::frontend
