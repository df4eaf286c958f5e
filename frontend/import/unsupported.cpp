// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels cannot do, and how it is reported: at the user's line rather than in the library's headers,
// once a line, and what only follows from something else not at all.
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Intrinsics.h>

#include "frontend/import/importer.h"
#include "frontend/messages.h"

namespace spirea::frontend {
namespace {

/// Why a function that is not defined cannot be called, by the start of its (mangled) name.
struct Reason {
  llvm::StringLiteral prefix;
  llvm::StringLiteral text;
};
constexpr Reason kReasons[] = {
#define UNSUPPORTED_CALL(prefix, text) {prefix, text},
#include "frontend/import/intrinsics.def"
};

/// Parts of the standard library by the header that their code is in: line tables name no classes.
constexpr Reason kLibraryParts[] = {
#define LIBRARY_PART(file, what) {file, what},
#include "frontend/import/intrinsics.def"
};

struct IntrinsicReason {
  llvm::Intrinsic::ID id;
  llvm::StringLiteral text;
};
constexpr IntrinsicReason kIntrinsicReasons[] = {
#define UNSUPPORTED_INTRINSIC(intrinsic, text) {llvm::Intrinsic::intrinsic, text},
#include "frontend/import/intrinsics.def"
};

constexpr llvm::StringLiteral kUnsupportedLibm[] = {
#define UNSUPPORTED_LIBM(name) name,
#include "frontend/import/intrinsics.def"
};

/// libstdc++'s functions that only throw: _ZSt<length>__throw_...
bool is_throw_function(llvm::StringRef name) {
  return name.consume_front("_ZSt") && name.ltrim("0123456789").starts_with("__throw_");
}

bool allocates(llvm::StringRef name) { return name.starts_with("_Znw") || name.starts_with("_Zna"); }

bool calls_itself(const llvm::Function& function) {
  llvm::SmallPtrSet<const llvm::Function*, 16> seen;
  llvm::SmallVector<const llvm::Function*, 16> work = {&function};
  while (!work.empty())
    for (const llvm::Instruction& inst : llvm::instructions(*work.pop_back_val())) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&inst);
      const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
      if (callee == &function) return true;
      if (callee != nullptr && seen.insert(callee).second) work.push_back(callee);
    }
  return false;
}

/// The reason in the tables above; empty for a function that they do not know.
llvm::StringRef known_reason(llvm::StringRef name) {
  if (is_throw_function(name)) return "'throw' is not supported in kernels";
  for (const Reason& reason : kReasons)
    if (name.starts_with(reason.prefix)) return reason.text;
  return "";
}

bool is_unsupported_libm(llvm::StringRef name) {
  return llvm::any_of(kUnsupportedLibm, [&](llvm::StringRef function) {
    return name == function || (name.ends_with("f") && name.drop_back() == function);
  });
}

kir::Diagnostic note(std::string message) { return {kir::Severity::Note, std::move(message), {}, {}}; }

}  // namespace

void Importer::unsupported_intrinsic(const llvm::IntrinsicInst& inst) {
  const llvm::StringRef name = inst.getCalledFunction()->getName();
  if (name.starts_with("llvm.coro.")) return unsupported(inst, "coroutines are not supported in kernels");
  for (const IntrinsicReason& reason : kIntrinsicReasons)
    if (reason.id == inst.getIntrinsicID()) return unsupported(inst, reason.text.str());
  unsupported(inst, "'" + name.str() + "' is not supported in kernels");
}

void Importer::unsupported_call(const llvm::CallBase& inst) {
  const kir::LocId here = builder_.location();
  if (const llvm::Function* callee = inst.getCalledFunction()) {
    if (const std::string problem = message_problem(inst); !problem.empty())
      return unsupported(inst, problem);
    auto [message, notes] = why_not_called(*callee);
    const llvm::StringRef part = library_part(here);
    if (allocates(callee->getName()) && !part.empty()) message += ": " + part.str();
    return unsupported(inst, message, std::move(notes));
  }
  const std::string function = state_.program.virtual_function_called_at(state_.module.locations[here]);
  if (function.empty()) return unsupported(inst, "a call through a pointer is not supported in kernels");
  unsupported(inst,
              "the virtual call of '" + function + "' cannot be resolved at compile time, which kernels need",
              {note("'final' on the class or the function resolves it, and so does an object whose class is "
                    "known in the kernel")});
}

std::pair<std::string, std::vector<kir::Diagnostic>> Importer::why_not_called(
    const llvm::Function& callee) const {
  const llvm::StringRef name = callee.getName();
  if (const llvm::StringRef reason = known_reason(name); !reason.empty()) return {reason.str(), {}};
  const std::string readable = "'" + readable_name(callee) + "'";
  if (is_unsupported_libm(name)) return {readable + " is not supported in kernels yet", {}};
  if (callee.isDeclaration())
    return {readable +
                " has no definition in this translation unit; a kernel can call only functions whose "
                "definition it sees, such as inline functions of headers",
            state_.program.where_declared(name.str())};
  if (calls_itself(callee))
    return {"recursion is not supported in kernels: " + readable + " calls itself", {}};
  if (callee.isVarArg())
    return {"functions with variable arguments, such as " + readable + ", are not supported in kernels", {}};
  return {"the call of " + readable + " cannot be inlined, which kernels need", {}};
}

llvm::StringRef Importer::library_part(kir::LocId place) const {
  llvm::StringRef result;
  for (; place != 0; place = state_.module.locations[place].inlined_at) {
    const std::string& file = state_.module.locations[place].file;
    if (!state_.program.is_in_system_header(file)) break;
    for (const Reason& part : kLibraryParts)
      if (llvm::StringRef(file).ends_with(part.prefix)) result = part.text;
  }
  return result;
}

kir::LocId users_place(const kir::LocationTable& locations, kir::LocId place, const Program& program) {
  for (kir::LocId at = place; at != 0; at = locations[at].inlined_at)
    if (!program.is_in_system_header(locations[at].file)) return at;
  return place;
}

void Importer::error(const std::string& message, std::vector<kir::Diagnostic> notes) {
  const kir::LocationTable& locations = state_.module.locations;
  const kir::LocId here = builder_.location(), place = users_place(locations, here, state_.program);
  if (place != here && library_calls_reported_.count(place) != 0) return;
  kir::Diagnostic d = kir::Diagnostic::error_at(locations, place, message);
  if (place != here)
    d.notes.insert(
        d.notes.begin(),
        {kir::Severity::Note, "in '" + locations[here].function + "', which it calls", locations[here], {}});
  d.notes.insert(d.notes.end(), notes.begin(), notes.end());
  if (d.place.file.empty()) {
    d.place.file = kernel_.manifest.file;
    d.place.line = kernel_.manifest.line;
  }
  const llvm::StringRef part = library_part(here);
  if (!part.empty() && !llvm::StringRef(message).ends_with(part)) {
    consequences_.emplace_back(part.str(), std::move(d));
    return;
  }
  if (place != here) library_calls_reported_.insert(place);
  report(std::move(d));
}

/// One message a line, however many kernels get there.
void Importer::report(kir::Diagnostic d) {
  reported_.insert(d.message);
  if (state_.reported.emplace(d.place.file, d.place.line, d.message).second)
    state_.errors.push_back(std::move(d));
}

/// A vector that cannot allocate need not be told that it cannot throw either.
void Importer::report_consequences() {
  const std::set<std::string> causes = reported_;
  for (auto& [part, diagnostic] : consequences_) {
    const bool is_known = llvm::any_of(
        causes, [&](const std::string& message) { return llvm::StringRef(message).ends_with(part); });
    if (!is_known) report(std::move(diagnostic));
  }
  consequences_.clear();
}

void Importer::unsupported(const llvm::Instruction& inst, const std::string& message,
                           std::vector<kir::Diagnostic> notes) {
  error(message, std::move(notes));
  if (inst.getType()->isVoidTy()) return;
  std::vector<kir::Type> wanted;
  types(inst.getType(), &inst, wanted);
  Components parts;
  for (const kir::Type type : wanted) parts.push_back(zero(type));
  set(&inst, parts);
}

std::string readable_name(const llvm::GlobalValue& value) { return llvm::demangle(value.getName().str()); }

}  // namespace spirea::frontend
