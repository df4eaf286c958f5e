// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/abi/messages.h"

namespace spirea::abi {
namespace {

constexpr std::string_view kLetters = "diouxXcspfFeEgGaA";
constexpr std::size_t kMaxDigits = 4;  // more make a field of no use

class FormatParser {
 public:
  explicit FormatParser(std::string_view text) : text_(text) {}

  std::optional<std::vector<Conversion>> run(std::string& problem) {
    std::vector<Conversion> result;
    do {
      result.emplace_back();
      if (problem = next(result.back()); !problem.empty()) return std::nullopt;
    } while (result.back().letter != 0);
    return result;
  }

 private:
  std::string take_any_of(std::string_view characters) {
    const std::size_t n = std::min(text_.find_first_not_of(characters), text_.size());
    const std::string taken(text_.substr(0, n));
    text_.remove_prefix(n);
    return taken;
  }

  std::string number() {
    if (!text_.starts_with('*')) return take_any_of("0123456789");
    text_.remove_prefix(1);
    return "*";
  }

  void literal(Conversion& c) {
    while (!text_.empty() && (text_[0] != '%' || text_.starts_with("%%"))) {
      c.text += text_[0];
      text_.remove_prefix(text_[0] == '%' ? 2 : 1);
    }
  }

  std::string next(Conversion& c) {
    literal(c);
    if (text_.empty()) return {};
    text_.remove_prefix(1);
    c.flags = take_any_of("-+ #0");
    c.width = number();
    if (c.has_precision = text_.starts_with('.'); c.has_precision) {
      text_.remove_prefix(1);
      c.precision = number();
    }
    c.length = take_any_of("hljztL");
    if (text_.empty()) return "the format ends within a conversion";
    c.letter = text_[0];
    text_.remove_prefix(1);
    return problem(c);
  }

  static std::string problem(const Conversion& c) {
    if (c.letter == 'n') return "%n is not supported in kernels";
    if (c.width.size() > kMaxDigits || c.precision.size() > kMaxDigits)
      return "the width or precision of a conversion is too large";
    if (c.length == "L") return "long double is not supported in kernels";
    constexpr std::string_view lengths[] = {"", "hh", "h", "l", "ll", "j", "z", "t"};
    bool known = false;
    for (const std::string_view length : lengths) known = known || c.length == length;
    if (!known || kLetters.find(c.letter) == std::string_view::npos)
      return "printf has no conversion '%" + c.length + std::string(1, c.letter) + "' in kernels";
    if (!c.length.empty() && (c.letter == 'c' || c.letter == 's'))
      return "wide characters are not supported in kernels";
    return {};
  }

  std::string_view text_;
};

}  // namespace

std::optional<std::vector<Conversion>> parse_format(std::string_view format, std::string& problem) {
  return FormatParser(format).run(problem);
}

}  // namespace spirea::abi
