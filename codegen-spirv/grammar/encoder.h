// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the generated instruction structs are made of: words, ids, literals and requirements.
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <spirv/unified1/spirv.hpp11>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace spirea::spirv {

using Word = std::uint32_t;

/// The number of a result; 0 is none.
struct Id {
  Word value = 0;
  friend bool operator==(Id, Id) = default;
  friend auto operator<=>(Id, Id) = default;
};

/// A literal number whose width is that of a type: `bits` up to 32 take one word, up to 64 two, low word
/// first.
struct Literal {
  std::uint64_t bits = 0;
  unsigned width = 32;
};

/// What a module needs of its environment, each item as the alternatives of which one must be there.
class Requirements {
 public:
  void any_of(std::initializer_list<spv::Capability> alternatives) { items_.emplace_back(alternatives); }
  const std::vector<std::vector<spv::Capability>>& items() const { return items_; }

 private:
  std::vector<std::vector<spv::Capability>> items_;
};

/// Encodes the operands of one instruction ("Physical Layout of a SPIR-V Module and Instruction").
class Encoder {
 public:
  void add(Id id) { words_.push_back(id.value); }
  void add(Word word) { words_.push_back(word); }
  void add(const Literal& literal) {
    words_.push_back(static_cast<Word>(literal.bits));
    if (literal.width > 32) words_.push_back(static_cast<Word>(literal.bits >> 32));
  }
  /// UTF-8, little-endian, with a zero byte at the end, padded with zeros to a word.
  void add(const std::string& text) {
    const std::size_t first = words_.size();
    words_.resize(first + text.size() / 4 + 1, 0);
    std::memcpy(&words_[first], text.data(), text.size());
  }
  template <class A, class B>
  void add(const std::pair<A, B>& pair) {
    add(pair.first);
    add(pair.second);
  }
  template <class E>
  requires std::is_enum_v<E>
  void add(E value) { words_.push_back(static_cast<Word>(value)); }
  const std::vector<Word>& words() const { return words_; }

 private:
  std::vector<Word> words_;
};

}  // namespace spirea::spirv
