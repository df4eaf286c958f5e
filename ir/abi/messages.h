// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How kernels tell the host something: one buffer of 32-bit words, in device memory, for each launch of a
// kernel whose manifest has messages. The compiler writes code that fills it, the runtime reads it.
//
//   word 0      words of records that invocations have asked for: may be more than there are
//   word 1      printf calls that found no place
//   word 2      words for records, written by the host
//   word 3      checks that failed; the first to count here writes the failure
//   words 4..7  the failure: 1 + number of the message, global id x, y, z
//   words 8..11 arguments of the failure
//   words 12..  records: their length in words, 1 + number of the message, global id x, y, z, arguments
//
// A 64-bit argument is two words, the low one first; a string is its length in bytes, then four characters a
// word; of one with more than kMaxStringBytes, those are there, and the length is one more. A length of 0
// ends the records: the first that found no place has left it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spirea::abi {

enum MessageWord : std::uint32_t {
  kUsedWords,
  kLostMessages,
  kCapacityWords,
  kFailedChecks,
  kFailure,
  kFailureArguments = kFailure + 4,
  kFirstRecord = kFailureArguments + 4,
};
constexpr std::uint32_t kRecordHeaderWords = 5;
/// Characters of a string argument, at most.
constexpr std::uint32_t kMaxStringBytes = 1024;

/// One conversion of a printf format, with the text before it.
struct Conversion {
  std::string text;              ///< before the conversion, %% resolved
  std::string flags;             ///< -+ #0
  std::string width, precision;  ///< digits or "*"; a precision includes no dot
  bool has_precision = false;
  std::string length;  ///< hh h l ll j z t L
  char letter = 0;     ///< 0: the text at the end
};

/// The conversions of a format, the last one with nothing but text; nothing, and a reason, for what C does
/// not define or kernels cannot do.
std::optional<std::vector<Conversion>> parse_format(std::string_view format, std::string& problem);

}  // namespace spirea::abi
