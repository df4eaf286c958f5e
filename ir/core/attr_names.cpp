// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <utility>

#include "ir/core/op.h"

namespace spirea::kir {
namespace {

constexpr std::pair<Scope, std::string_view> kScopes[] = {{Scope::Invocation, "invocation"},
                                                          {Scope::Subgroup, "subgroup"},
                                                          {Scope::Workgroup, "workgroup"},
                                                          {Scope::Device, "device"},
                                                          {Scope::System, "system"}};
constexpr std::pair<Order, std::string_view> kOrders[] = {{Order::Relaxed, "relaxed"},
                                                          {Order::Acquire, "acquire"},
                                                          {Order::Release, "release"},
                                                          {Order::AcqRel, "acq_rel"},
                                                          {Order::SeqCst, "seq_cst"}};
constexpr std::pair<GroupAttr::Kind, std::string_view> kGroupKinds[] = {
    {GroupAttr::Kind::Reduce, "reduce"},
    {GroupAttr::Kind::Inclusive, "inclusive"},
    {GroupAttr::Kind::Exclusive, "exclusive"},
    {GroupAttr::Kind::Clustered, "clustered"}};

template <class T, std::size_t N>
std::string_view name_of(const std::pair<T, std::string_view> (&table)[N], T value) {
  for (const auto& [known, name] : table)
    if (known == value) return name;
  return "?";
}

template <class T, std::size_t N>
std::optional<T> value_of(const std::pair<T, std::string_view> (&table)[N], std::string_view text) {
  for (const auto& [value, name] : table)
    if (name == text) return value;
  return std::nullopt;
}

}  // namespace

std::string_view to_string(Scope scope) { return name_of(kScopes, scope); }
std::string_view to_string(Order order) { return name_of(kOrders, order); }
std::string_view to_string(GroupAttr::Kind kind) { return name_of(kGroupKinds, kind); }
std::optional<Scope> parse_scope(std::string_view text) { return value_of(kScopes, text); }
std::optional<Order> parse_order(std::string_view text) { return value_of(kOrders, text); }
std::optional<GroupAttr::Kind> parse_group_kind(std::string_view text) { return value_of(kGroupKinds, text); }

}  // namespace spirea::kir
