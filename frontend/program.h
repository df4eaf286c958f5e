// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "frontend/import/import.h"

namespace clang {
class ASTContext;
class CodeGenerator;
class Decl;
}  // namespace clang

namespace spirea::frontend {

/// What Clang's syntax tree has to say in diagnostics. It is asked after an error alone.
class ClangProgram : public Program {
 public:
  /// Takes in what the generator's module declares without a definition: the module may be released after.
  ClangProgram(clang::ASTContext&, clang::CodeGenerator&);

  bool is_in_system_header(const std::string& file) const override;
  std::string virtual_function_called_at(const kir::Location&) const override;
  std::vector<kir::Diagnostic> where_declared(const std::string& symbol) const override;
  bool is_initialized_at_run_time(const std::string& symbol) const override;

 private:
  struct VirtualCall {
    std::string file;
    std::string function;
  };

  const clang::Decl* declaration(const std::string& symbol) const;
  kir::Location place_of(const clang::Decl&) const;
  std::string advice(const clang::Decl&, const std::string& file) const;

  clang::ASTContext& context_;
  std::map<std::string, const clang::Decl*, std::less<>> declared_;
  mutable std::map<std::string, bool> system_files_;
  mutable std::optional<std::multimap<std::pair<unsigned, unsigned>, VirtualCall>> virtual_calls_;
};

}  // namespace spirea::frontend
