// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ir/core/location.h"

namespace spirea::kir {

enum class Severity : std::uint8_t { Error, Warning, Note, Remark };

/// One message in the form of Clang's: lower case, no full stop, pointing at a place. `place.file` empty: no
/// place.
struct Diagnostic {
  Severity severity = Severity::Error;
  std::string message;
  Location place;                 ///< inlined_at is not used here: the chain of calls becomes notes
  std::vector<Diagnostic> notes;  ///< second places, call chains; severity Note

  static Diagnostic error(std::string message, Location place = {}) {
    return {Severity::Error, std::move(message), std::move(place), {}};
  }
  /// The error at a location of a module, with a note for each call that inlined it ("in call from 'f'").
  static Diagnostic error_at(const LocationTable&, LocId, std::string message);
};

/// `file:line:column: error: message`, then the notes, each on a line of its own with a line end.
std::string to_string(const Diagnostic&);
std::string to_string(const std::vector<Diagnostic>&);

/// A value, or the diagnostics that say why there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(Diagnostic diagnostic) : state_(std::vector{std::move(diagnostic)}) {}
  Result(std::vector<Diagnostic> diagnostics) : state_(std::move(diagnostics)) {}

  explicit operator bool() const { return std::holds_alternative<T>(state_); }
  T& operator*() { return std::get<T>(state_); }
  const T& operator*() const { return std::get<T>(state_); }
  T* operator->() { return &std::get<T>(state_); }
  const T* operator->() const { return &std::get<T>(state_); }
  T take() { return std::move(std::get<T>(state_)); }
  const std::vector<Diagnostic>& diagnostics() const { return std::get<std::vector<Diagnostic>>(state_); }

 private:
  std::variant<T, std::vector<Diagnostic>> state_;
};

struct Success {};

/// Success, or the diagnostics that say why not. `return {};` is success.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Success) {}
  Result(Diagnostic diagnostic) : diagnostics_{std::move(diagnostic)} {}
  /// Failure unless the list is empty.
  Result(std::vector<Diagnostic> diagnostics) : diagnostics_(std::move(diagnostics)) {}

  explicit operator bool() const { return diagnostics_.empty(); }
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace spirea::kir
