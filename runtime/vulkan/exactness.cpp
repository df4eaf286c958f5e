// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/vulkan/exactness.h"

#include <bit>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <random>
#include <type_traits>
#include <utility>

#include "ir/abi/vulkan.h"
#include "runtime/vulkan/words.h"

namespace spirea::vulkan {
namespace {

constexpr std::uint32_t kInputs = 3, kWorkgroups = 256;

/// Writes instructions, by the numbers of SPIR-V's specification.
class Assembler {
 public:
  void op(std::uint32_t opcode, std::initializer_list<std::uint32_t> operands) {
    words_.push_back(static_cast<std::uint32_t>(operands.size() + 1) << 16 | opcode);
    words_.insert(words_.end(), operands);
  }
  /// With a result: the operands behind it.
  std::uint32_t result(std::uint32_t opcode, std::uint32_t type,
                       std::initializer_list<std::uint32_t> operands) {
    const std::uint32_t id = this->id();
    words_.push_back(static_cast<std::uint32_t>(operands.size() + 3) << 16 | opcode);
    words_.insert(words_.end(), {type, id});
    words_.insert(words_.end(), operands);
    return id;
  }
  std::uint32_t id() { return words_[3]++; }
  Words take() { return std::move(words_); }

 private:
  Words words_ = {0x07230203, 0x00010500, 0, 1, 0};
};

struct Ids {
  std::uint32_t main, glsl, global_id, arguments, quotient;
  std::uint32_t function_type, void_type, word, words3, number, rows_pointer, rows_member, number_pointer;
  std::uint32_t constants[kExactnessColumns + 1];  ///< 0 to 6
};

/// "main" and "GLSL.std.450" as words.
constexpr std::uint32_t kMain = 0x6e69616d;
constexpr std::uint32_t kGlsl[] = {0x4c534c47, 0x6474732e, 0x3035342e};

void header(Assembler& a, Ids& ids, unsigned width) {
  constexpr std::uint32_t shader = 1, float64 = 10, memory_model = 5345, addresses = 5347;
  for (const std::uint32_t capability : {shader, memory_model, addresses}) a.op(17, {capability});
  if (width == 64) a.op(17, {float64});
  for (std::uint32_t* id : {&ids.main, &ids.glsl, &ids.global_id, &ids.arguments, &ids.quotient})
    *id = a.id();
  a.op(11, {ids.glsl, kGlsl[0], kGlsl[1], kGlsl[2], 0});  // ExtInstImport
  a.op(14, {5348, 3});                                    // MemoryModel PhysicalStorageBuffer64 Vulkan
  a.op(15, {5, ids.main, kMain, 0, ids.global_id, ids.arguments});
  a.op(16, {ids.main, 17, kExactnessWorkgroup, 1, 1});  // LocalSize
  a.op(71, {ids.global_id, 11, 28});                    // BuiltIn GlobalInvocationId
  a.op(71, {ids.quotient, 42});                         // NoContraction
}

/// The arguments are a struct of a pointer to a struct of an array of numbers.
void declarations(Assembler& a, Ids& ids, unsigned width) {
  constexpr std::uint32_t input = 1, push_constant = 9, device_memory = 5349;
  const std::uint32_t array = a.id(), rows = a.id(), block = a.id();
  const std::uint32_t id_pointer = a.id(), block_pointer = a.id();
  for (std::uint32_t* id : {&ids.function_type, &ids.void_type, &ids.word, &ids.words3, &ids.number,
                            &ids.rows_pointer, &ids.rows_member, &ids.number_pointer})
    *id = a.id();
  a.op(71, {array, 6, width / 8});  // ArrayStride
  for (const std::uint32_t type : {rows, block}) {
    a.op(71, {type, 2});         // Block
    a.op(72, {type, 0, 35, 0});  // Offset
  }
  a.op(19, {ids.void_type});
  a.op(33, {ids.function_type, ids.void_type});
  a.op(21, {ids.word, 32, 0});
  a.op(23, {ids.words3, ids.word, 3});
  a.op(22, {ids.number, width});
  a.op(29, {array, ids.number});
  a.op(30, {rows, array});
  a.op(32, {ids.rows_pointer, device_memory, rows});
  a.op(30, {block, ids.rows_pointer});
  a.op(32, {id_pointer, input, ids.words3});
  a.op(32, {block_pointer, push_constant, block});
  a.op(32, {ids.rows_member, push_constant, ids.rows_pointer});
  a.op(32, {ids.number_pointer, device_memory, ids.number});
  a.op(59, {id_pointer, ids.global_id, input});
  a.op(59, {block_pointer, ids.arguments, push_constant});
  for (std::uint32_t i = 0; i <= kExactnessColumns; ++i) ids.constants[i] = a.result(43, ids.word, {i});
}

void body(Assembler& a, const Ids& ids, unsigned width) {
  constexpr std::uint32_t aligned = 2, fma = 50, sqrt = 31;
  a.op(54, {ids.void_type, ids.main, 0, ids.function_type});
  a.op(248, {a.id()});
  const std::uint32_t id3 = a.result(61, ids.words3, {ids.global_id});
  const std::uint32_t id = a.result(81, ids.word, {id3, 0});
  const std::uint32_t first = a.result(132, ids.word, {id, ids.constants[kExactnessColumns]});
  const std::uint32_t member = a.result(65, ids.rows_member, {ids.arguments, ids.constants[0]});
  const std::uint32_t rows = a.result(61, ids.rows_pointer, {member});
  std::uint32_t places[kExactnessColumns], in[kInputs];
  for (std::uint32_t i = 0; i < kExactnessColumns; ++i) {
    const std::uint32_t index = a.result(128, ids.word, {first, ids.constants[i]});
    places[i] = a.result(65, ids.number_pointer, {rows, ids.constants[0], index});
    if (i < kInputs) in[i] = a.result(61, ids.number, {places[i], aligned, width / 8});
  }
  const std::uint32_t fused = a.result(12, ids.number, {ids.glsl, fma, in[0], in[1], in[2]});
  a.op(136, {ids.number, ids.quotient, in[0], in[1]});
  const std::uint32_t root = a.result(12, ids.number, {ids.glsl, sqrt, in[0]});
  a.op(62, {places[3], fused, aligned, width / 8});
  a.op(62, {places[4], ids.quotient, aligned, width / 8});
  a.op(62, {places[5], root, aligned, width / 8});
  a.op(253, {});
  a.op(56, {});
}

__extension__ using Wide = unsigned __int128;

/// Inputs at which what is not exact shows.
template <class T>
class Inputs {
 public:
  struct Row {
    T x, y, z;
  };

  Row next(std::size_t i) {
    switch (i % 6) {
      case 0: return cancelled_product();
      case 1: return decided_product();
      case 2: return hard_quotient();
      case 3: return hard_root();
      case 4: return subnormal();
      default: return {any(), any(), any()};
    }
  }

 private:
  using Limits = std::numeric_limits<T>;
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  static constexpr int kDigits = Limits::digits;

  /// An integer of that many bits, odd.
  std::uint64_t odd(int bits) {
    const std::uint64_t top = std::uint64_t{1} << (bits - 1);
    return (random_() & (top - 1)) | top | 1;
  }
  T near_one() { return std::ldexp(static_cast<T>(odd(kDigits)), 1 - kDigits); }
  int small_exponent() { return static_cast<int>(random_() % 41) - 20; }
  T any() {
    const T value = std::bit_cast<T>(static_cast<Bits>(random_() >> (64 - 8 * sizeof(T))));
    return std::isfinite(value) ? value : T(1);
  }

  /// Rounded twice, the sum is zero.
  Row cancelled_product() {
    const T x = near_one(), y = near_one();
    return {x, y, -(x * y)};
  }
  /// The product is in the middle of two numbers, or near it, and z decides.
  Row decided_product() {
    const T z = std::ldexp(near_one(), -2 * kDigits - 5);
    return {near_one(), T(1.5), random_() % 2 == 0 ? z : -z};
  }
  /// q * y = x * 2^(digits + 1) + r, with an r of almost nothing, and q in the middle of two numbers.
  Row hard_quotient() {
    constexpr std::uint64_t mask = (std::uint64_t{1} << (kDigits + 1)) - 1;
    for (;;) {
      const std::uint64_t y = odd(kDigits);
      const std::uint64_t r = static_cast<std::uint64_t>(static_cast<std::int64_t>(random_() % 4) * 2 - 3);
      std::uint64_t inverse = y;  // modulo 2^64, right in three bits; each step doubles these
      for (int i = 0; i < 5; ++i) inverse *= 2 - y * inverse;
      const std::uint64_t q = inverse * r & mask;
      if (q >> kDigits == 0) continue;
      const Wide rest = r >> 63 != 0 ? static_cast<Wide>(q) * y + (~r + 1) : static_cast<Wide>(q) * y - r;
      const auto x = static_cast<std::uint64_t>(rest >> (kDigits + 1));
      return {std::ldexp(static_cast<T>(x), small_exponent()),
              std::ldexp(static_cast<T>(y), small_exponent()), T(0)};
    }
  }
  /// The nearest of several to the square of a number in the middle of two.
  Row hard_root() {
    T best = 1;
    Wide least = ~Wide{0};
    for (int i = 0; i < 32; ++i) {
      const std::uint64_t middle = odd(kDigits + 1);
      const Wide square = static_cast<Wide>(middle) * middle;
      const int shift = (square >> (2 * kDigits + 1)) != 0 ? kDigits + 2 : kDigits + 1;
      const Wide x = (square + (Wide{1} << (shift - 1))) >> shift, back = x << shift;
      const Wide distance = back > square ? back - square : square - back;
      if (distance >= least) continue;
      least = distance;
      best = std::ldexp(static_cast<T>(static_cast<std::uint64_t>(x)), shift);
    }
    return {best, near_one(), T(0)};
  }
  /// A subnormal operand, or quotient, or both.
  Row subnormal() {
    const T small = Limits::min() * std::ldexp(near_one(), -static_cast<int>(random_() % kDigits) - 1);
    const T factor = std::ldexp(near_one(), small_exponent());
    switch (random_() % 3) {
      case 0: return {small, factor, T(0)};
      case 1: return {factor, small, T(0)};
      default: return {Limits::min() * near_one(), std::ldexp(near_one(), 3), T(0)};
    }
  }

  std::mt19937_64 random_{1};
};

template <class T>
bool is_same(T a, T b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

/// Whether subnormal numbers have no part in fma(x, y, z).
template <class T>
bool is_ordinary(T x, T y, T z) {
  for (const T value : {x, y, z, x * y, std::fma(x, y, z)})
    if (value != 0 && std::abs(value) < std::numeric_limits<T>::min()) return false;
  return x * y != 0;
}

}  // namespace

Words exactness_module(unsigned width) {
  Assembler a;
  Ids ids{};
  header(a, ids, width);
  declarations(a, ids, width);
  body(a, ids, width);
  return a.take();
}

template <class T>
std::vector<T> exactness_rows() {
  Inputs<T> inputs;
  std::vector<T> rows;
  for (std::size_t i = 0; i < kWorkgroups * kExactnessWorkgroup; ++i) {
    const auto [x, y, z] = inputs.next(i);
    rows.insert(rows.end(), {x, y, z, 0, 0, 0});
  }
  return rows;
}

template <class T>
ExactResults compare_exactness(const std::vector<T>& rows) {
  ExactResults result;
  for (std::size_t i = 0; i + kExactnessColumns <= rows.size(); i += kExactnessColumns) {
    const T x = rows[i], y = rows[i + 1], z = rows[i + 2];
    if (is_ordinary(x, y, z)) result.fused &= is_same(rows[i + 3], std::fma(x, y, z));
    result.quotients &= is_same(rows[i + 4], x / y);
    result.roots &= is_same(rows[i + 5], std::sqrt(x));
  }
  return result;
}

template std::vector<float> exactness_rows<float>();
template std::vector<double> exactness_rows<double>();
template ExactResults compare_exactness<float>(const std::vector<float>&);
template ExactResults compare_exactness<double>(const std::vector<double>&);

bool asks_for_exactness(const Words& words) {
  constexpr std::uint32_t op_decorate = 71, spec_id = 1;
  bool asks = false;
  for_each_instruction(words, [&](const Instruction& instruction) {
    asks |= instruction.opcode() == op_decorate && instruction[2] == spec_id &&
            instruction[3] >= abi::kFusedF32SpecId && instruction[3] <= abi::kExactSqrtF64SpecId;
  });
  return asks;
}

}  // namespace spirea::vulkan
