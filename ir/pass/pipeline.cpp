// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/pass/pipeline.h"

namespace spirea::kir {
namespace {

/// Pipelines may name pipelines; one that names itself must not hang us.
constexpr unsigned kMaxDepth = 8;

std::string known_names(const PassRegistry& registry) {
  std::string names;
  const auto add = [&](std::string_view name) { names += (names.empty() ? "" : ", ") + std::string(name); };
  for (const PassInfo* pass : registry.passes()) add(pass->name);
  for (const PipelineInfo* pipeline : registry.pipelines()) add(pipeline->name);
  return names;
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

Result<void> append(std::string_view text, const PassRegistry& registry, unsigned depth, Pipeline& out) {
  if (depth > kMaxDepth) return Diagnostic::error("pipelines name each other without end");
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view name = trimmed(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
    if (name.empty()) continue;
    if (const PassInfo* pass = registry.find_pass(name)) {
      out.push_back(pass);
    } else if (const PipelineInfo* pipeline = registry.find_pipeline(name)) {
      if (auto added = append(pipeline->passes, registry, depth + 1, out); !added) return added;
    } else {
      return Diagnostic::error("no pass is named '" + std::string(name) +
                               "'; there are: " + known_names(registry));
    }
  }
  return {};
}

}  // namespace

Result<Pipeline> parse_pipeline(std::string_view text, const PassRegistry& registry) {
  Pipeline pipeline;
  if (auto added = append(text, registry, 0, pipeline); !added) return added.diagnostics();
  return pipeline;
}

std::string to_string(const Pipeline& pipeline) {
  std::string text;
  for (const PassInfo* pass : pipeline) text += (text.empty() ? "" : ",") + std::string(pass->name);
  return text;
}

Result<void> check_order(const Pipeline& pipeline, Properties held) {
  for (const PassInfo* pass : pipeline) {
    for (unsigned i = 0; i < kNumProperties; ++i) {
      const auto property = static_cast<Property>(i);
      if (pass->needs.has(property) && !held.has(property))
        return Diagnostic::error("pass '" + std::string(pass->name) + "' needs '" +
                                 std::string(to_string(property)) +
                                 "', which no pass before it establishes and keeps");
    }
    held = held.without(pass->destroys).with(pass->establishes);
  }
  return {};
}

}  // namespace spirea::kir
