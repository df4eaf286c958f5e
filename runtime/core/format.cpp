// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// printf on the host, a conversion at a time: each is written anew, so that nothing of the device's words
// reaches the C library but numbers and strings of known length.
#include <algorithm>
#include <bit>
#include <cstdio>

#include "ir/abi/messages.h"
#include "runtime/core/messages.h"

namespace spirea::detail {
namespace {

constexpr char kDamaged[] = "(damaged message)";
constexpr char kCut[] = "\xe2\x80\xa6";  // an ellipsis, in UTF-8

class Formatter {
 public:
  Formatter(const abi::Message& message, std::span<const std::uint32_t> words)
      : kinds_(message.arguments), words_(words) {}

  std::string run(const std::vector<abi::Conversion>& conversions) {
    std::string out;
    for (const abi::Conversion& c : conversions) {
      out += c.text;
      if (c.letter != 0) convert(c, out);
      if (is_damaged_) return out + kDamaged;
    }
    return out;
  }

 private:
  std::uint32_t word() {
    if (words_.empty()) {
      is_damaged_ = true;
      return 0;
    }
    const std::uint32_t value = words_.front();
    words_ = words_.subspan(1);
    return value;
  }
  std::uint64_t wide() {
    const std::uint64_t low = word();
    return low | std::uint64_t{word()} << 32;
  }
  char kind() {
    if (kinds_.empty()) is_damaged_ = true;
    const char kind = kinds_.empty() ? 'i' : kinds_.front();
    if (!kinds_.empty()) kinds_.remove_prefix(1);
    return kind;
  }

  /// An integer as C converts it to the type that the conversion names.
  std::uint64_t integer(const abi::Conversion& c) {
    const bool is_signed = c.letter == 'd' || c.letter == 'i';
    std::uint64_t value = kind() == 'l' ? wide() : word();
    const unsigned bits = c.length == "hh" ? 8 : c.length == "h" ? 16 : c.length.empty() ? 32 : 64;
    if (bits == 64) return value;
    value <<= 64 - bits;
    return is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value) >> (64 - bits))
                     : value >> (64 - bits);
  }

  double real() {
    if (kind() == 'f') return std::bit_cast<float>(word());
    return std::bit_cast<double>(wide());
  }

  std::string string() {
    kind();
    const std::uint32_t wanted = word();
    const std::uint32_t length = std::min(wanted, abi::kMaxStringBytes);
    if (wanted > abi::kMaxStringBytes + 1 || length > words_.size() * 4) is_damaged_ = true;
    std::string text;
    for (std::uint32_t i = 0; i < length && !is_damaged_; i += 4) {
      const std::uint32_t four = word();
      for (std::uint32_t k = 0; k < 4 && i + k < length; ++k) text += static_cast<char>(four >> 8 * k);
    }
    return wanted > length ? text + kCut : text;
  }

  std::string starred(const std::string& number) {
    if (number != "*") return number;
    kind();
    return std::to_string(std::clamp(static_cast<std::int32_t>(word()), -9999, 9999));
  }

  std::string specification(const abi::Conversion& c) {
    std::string spec = "%" + c.flags + starred(c.width);
    if (!c.has_precision) return spec;
    const std::string precision = starred(c.precision);
    return precision.starts_with('-') ? spec : spec + "." + precision;  // C: as if it were not there
  }

  template <class T>
  void print(const std::string& spec, T value, std::string& out) {
    const int size = std::snprintf(nullptr, 0, spec.c_str(), value);
    if (size < 0) return;
    const std::size_t before = out.size();
    out.resize(before + static_cast<std::size_t>(size) + 1);
    std::snprintf(out.data() + before, static_cast<std::size_t>(size) + 1, spec.c_str(), value);
    out.pop_back();
  }

  void convert(const abi::Conversion& c, std::string& out) {
    const std::string spec = specification(c);
    switch (c.letter) {
      case 's': return print(spec + "s", string().c_str(), out);
      case 'c': return print(spec + "c", static_cast<int>(integer(c)), out);
      case 'p':
        return print(spec + "p", reinterpret_cast<void*>(static_cast<std::uintptr_t>(pointer())), out);
      case 'd':
      case 'i':
      case 'o':
      case 'u':
      case 'x':
      case 'X': return print(spec + "ll" + c.letter, static_cast<long long>(integer(c)), out);
      default: return print(spec + c.letter, real(), out);
    }
  }
  std::uint64_t pointer() {
    kind();
    return wide();
  }

  std::string_view kinds_;
  std::span<const std::uint32_t> words_;
  bool is_damaged_ = false;
};

}  // namespace

std::string format_message(const abi::Message& message, std::span<const std::uint32_t> arguments) {
  std::string problem;
  const auto conversions = abi::parse_format(message.text, problem);
  return conversions ? Formatter(message, arguments).run(*conversions) : kDamaged;
}

}  // namespace spirea::detail
