// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ir/core/builder.h"
#include "ir/core/module.h"

namespace spirea::spirv {

/// A part of a kernel that runs from its start to its end, then names the piece that is next.
struct Piece {
  std::vector<std::unique_ptr<kir::Op>> ops;  ///< until they are placed in `home`
  std::unique_ptr<kir::Op> end;               ///< a construct that is taken apart, or a terminator
  kir::Region* home = nullptr;                ///< all of it is this piece
  std::uint32_t number = 0;
  bool is_header = false;  ///< of a loop
};

/// Values that one piece computes and another uses: through a variable, or computed again where that takes
/// nothing. So are the results of constructs that are taken apart, and the arguments of such loops.
class PieceValues {
 public:
  explicit PieceValues(kir::Region& body) : body_(body) {}

  /// The op is taken apart: its results, and its arguments if it is a loop, get variables.
  void take_apart(const kir::Op& op);
  /// Sets the variable of a result or argument.
  void store(kir::Value* to, kir::Value* from, kir::Builder& builder);
  /// Makes all that the pieces use visible there. All have got their homes; the body itself is none of them.
  void connect(const std::vector<Piece*>& pieces);

 private:
  kir::Value* variable(kir::Value* value);
  bool is_visible(const kir::Value* value, const Piece& piece) const;
  kir::Value* value_in(kir::Value* value, const Piece& piece);
  kir::Value* compute_again(const kir::Op& op, const Piece& piece);
  kir::Value* load(kir::Value* value, const Piece& piece);

  kir::Region& body_;
  std::unordered_set<const kir::Value*> taken_apart_;
  std::unordered_map<const kir::Value*, kir::Value*> variables_;
  std::unordered_map<const kir::Region*, const Piece*> pieces_;
  std::map<std::pair<const kir::Value*, const Piece*>, kir::Value*> copies_;
  std::unordered_map<const Piece*, kir::Op*> starts_;  ///< the first op that the piece had
};

}  // namespace spirea::spirv
