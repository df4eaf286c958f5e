// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/selection.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <optional>

namespace spirea::detail {
namespace {

/// Lower is better.
int rank(const device_info& info) {
  if (!info.is_usable) return 4;
  switch (info.backend) {
    case backend_kind::vulkan: return info.is_software ? 2 : 0;
    case backend_kind::host: return 1;
    case backend_kind::interp: return 3;
  }
  return 4;
}

std::optional<backend_kind> parse_kind(std::string_view text) {
  for (const Backend& backend : backends())
    if (to_string(backend.kind) == text) return backend.kind;
  return std::nullopt;
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

std::string list(const std::vector<Candidate>& candidates) {
  std::string result;
  for (const Candidate& candidate : candidates) {
    const device_info& info = candidate.info;
    result +=
        "\n  " + std::string(to_string(info.backend)) + ":" + std::to_string(info.index) + " " + info.name;
    if (!info.is_usable) result += " (not usable: " + info.reason + ")";
  }
  return result;
}

bool matches(const device_info& info, std::string_view detail) {
  if (detail.empty()) return true;
  unsigned index = 0;
  const auto [end, status] = std::from_chars(detail.data(), detail.data() + detail.size(), index);
  if (status == std::errc() && end == detail.data() + detail.size()) return info.index == index;
  return lower(info.name).find(lower(detail)) != std::string::npos;
}

bool is_quiet() {
  const char* value = std::getenv("SPIREA_QUIET");
  return value != nullptr && std::string_view(value) != "" && std::string_view(value) != "0";
}

void say_fallback(const std::vector<Candidate>& candidates, const device_info& chosen) {
  static std::atomic<bool> said = false;
  if (is_quiet() || said.exchange(true)) return;
  std::string text = "spirea: no GPU is usable, running on " + std::string(to_string(chosen.backend)) + " (" +
                     chosen.name + ")";
  for (const Candidate& candidate : candidates)
    if (!candidate.info.is_usable && candidate.info.backend != backend_kind::interp)
      text += "; " + std::string(to_string(candidate.info.backend)) + ": " + candidate.info.reason;
  std::fprintf(stderr, "%s\n", text.c_str());
}

}  // namespace

std::vector<Candidate> all_candidates() {
  std::vector<Candidate> result;
  for (const Backend& backend : backends())
    for (Candidate& candidate : backend.enumerate()) result.push_back(std::move(candidate));
  std::stable_sort(result.begin(), result.end(),
                   [](const Candidate& a, const Candidate& b) { return rank(a.info) < rank(b.info); });
  return result;
}

Candidate select(std::string_view selector) {
  const std::string_view kind_text = selector.substr(0, selector.find(':'));
  const std::string_view detail =
      kind_text.size() == selector.size() ? std::string_view() : selector.substr(kind_text.size() + 1);
  const auto kind = parse_kind(kind_text);
  std::vector<Candidate> candidates = all_candidates();
  const Candidate* unusable = nullptr;
  for (Candidate& candidate : candidates) {
    if (candidate.info.backend != kind || !matches(candidate.info, detail)) continue;
    if (candidate.info.is_usable) return std::move(candidate);
    unusable = &candidate;
  }
  const std::string name(selector);
  if (!kind)
    throw error("unknown device '" + name +
                "'; a device is named vulkan, host or interp, with :index or :name behind it. Found:" +
                list(candidates));
  if (unusable != nullptr)
    throw error("device '" + name + "' is not usable because " + unusable->info.reason);
  throw error("no device matches '" + name + "'. Found:" + list(candidates));
}

Candidate select_default() {
  const char* selector = std::getenv("SPIREA_DEVICE");
  if (selector != nullptr && *selector != '\0') return select(selector);
  std::vector<Candidate> candidates = all_candidates();
  if (candidates.empty() || !candidates.front().info.is_usable ||
      candidates.front().info.backend == backend_kind::interp)
    throw error("no device is usable. Found:" + list(candidates));
  const device_info& best = candidates.front().info;
  if (best.backend == backend_kind::host || best.is_software) say_fallback(candidates, best);
  return std::move(candidates.front());
}

}  // namespace spirea::detail

namespace spirea {

std::vector<device_info> devices() {
  std::vector<device_info> result;
  for (const detail::Candidate& candidate : detail::all_candidates()) result.push_back(candidate.info);
  return result;
}

}  // namespace spirea
