// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <spirea/spirea.hpp>
#include <string>
#include <vector>

namespace {

using nlohmann::ordered_json;
using spirea::backend_kind;
using spirea::device_info;

constexpr const char* kExamples = R"(
examples:
  spirea-info                        all devices, and which one programs get
  spirea-info --json                 the same for programs to read
  spirea-info --device vulkan:1      which one this name chooses
  SPIREA_DEVICE=host spirea-info     the environment variable that programs obey

The best usable device is a GPU, else the host. Software drivers of GPU interfaces and the interpreter are used when they
are named.

exit codes: 0 a device was chosen, 1 there is none, or none of that name, 2 wrong usage)";

constexpr int kExitNoDevice = 1;
constexpr int kExitUsage = 2;

/// What was asked for, what came of it, and all there is.
struct Survey {
  std::string selector;  ///< --device or SPIREA_DEVICE; empty: the best one
  std::vector<device_info> devices;
  std::optional<device_info> chosen;
  std::string error;  ///< why none was chosen
};

bool same(const device_info& a, const device_info& b) { return a.backend == b.backend && a.index == b.index; }

Survey survey(const std::string& selector) {
  Survey result;
  result.selector = selector;
  result.devices = spirea::devices();
  try {
    const spirea::device device = selector.empty() ? spirea::device() : spirea::device(selector);
    result.chosen = device.info();
  } catch (const spirea::error& error) {
    result.error = error.cause();
  }
  return result;
}

bool is_gpu(const device_info& info) { return !info.is_software && info.backend == backend_kind::vulkan; }

/// Why a usable device that was not chosen was passed over, nothing being named.
std::string why_passed_over(const device_info& info, const device_info& chosen) {
  if (info.backend == backend_kind::interp) return "the interpreter is used when it is named";
  if (is_gpu(info)) return "another GPU comes first";
  if (info.backend == backend_kind::host)
    return is_gpu(chosen) ? "a GPU comes first" : "another device comes first";
  return "a software driver, used when it is named";
}

std::string why(const device_info& info, const Survey& survey) {
  if (!info.is_usable) return "cannot be used because " + info.reason;
  if (!survey.chosen) return "not chosen";
  if (same(info, *survey.chosen)) {
    if (!survey.selector.empty()) return "chosen because '" + survey.selector + "' names it";
    return is_gpu(info) ? "chosen: the first usable GPU" : "chosen: no GPU is usable";
  }
  if (!survey.selector.empty()) return "not chosen because '" + survey.selector + "' names another";
  return "not chosen: " + why_passed_over(info, *survey.chosen);
}

std::string title(const device_info& info) {
  return std::string(spirea::to_string(info.backend)) + ":" + std::to_string(info.index);
}

void print_text(const Survey& survey) {
  for (const device_info& info : survey.devices) {
    const bool chosen = survey.chosen && same(info, *survey.chosen);
    std::printf("%s %-10s %s\n", chosen ? "*" : " ", title(info).c_str(), info.name.c_str());
    std::printf("    %s\n", why(info, survey).c_str());
    for (const auto& [name, value] : info.properties)
      std::printf("    %s: %s\n", name.c_str(), value.c_str());
  }
}

void print_json(const Survey& survey) {
  ordered_json list = ordered_json::array();
  for (const device_info& info : survey.devices) {
    ordered_json entry = {{"backend", spirea::to_string(info.backend)},
                          {"index", info.index},
                          {"name", info.name},
                          {"usable", info.is_usable},
                          {"software", info.is_software},
                          {"chosen", survey.chosen && same(info, *survey.chosen)},
                          {"why", why(info, survey)},
                          {"properties", ordered_json::object()}};
    for (const auto& [name, value] : info.properties) entry["properties"][name] = value;
    list.push_back(std::move(entry));
  }
  const ordered_json root = {
      {"selector", survey.selector}, {"error", survey.error}, {"devices", std::move(list)}};
  std::cout << root.dump(2) << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Lists devices, what each offers, and which one a program gets, and why.", "spirea-info");
  std::string selector;
  bool json = false;
  app.footer(kExamples);
  app.add_option("--device", selector,
                 "what to choose, as in SPIREA_DEVICE (default: that variable's value)");
  app.add_flag("--json", json, "print JSON");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? EXIT_SUCCESS : kExitUsage;
  }
  if (const char* variable = std::getenv("SPIREA_DEVICE"); selector.empty() && variable != nullptr)
    selector = variable;
  setenv("SPIREA_QUIET", "1", 1);  // falling back is part of what we print

  const Survey found = survey(selector);
  if (json)
    print_json(found);
  else
    print_text(found);
  if (found.chosen) return EXIT_SUCCESS;
  std::fprintf(stderr, "error: %s\n", found.error.c_str());
  return kExitNoDevice;
}
