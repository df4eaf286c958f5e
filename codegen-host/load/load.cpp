// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links objects into this process with JITLink and runs their constructors.
//
// The objects define nothing but what their constructors register, so that nobody looks up a symbol of
// theirs: they are linked by asking for the initializer symbol that ORC gives each object with an
// .init_array. A plugin keeps those sections alive and notes the functions in them. (ORC's own platform
// support would need compiler-rt's runtime library.)
#include <algorithm>
#include <cstring>
#include <llvm/ExecutionEngine/JITLink/JITLink.h>
#include <llvm/ExecutionEngine/Orc/Core.h>
#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/ObjectFileInterface.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h>
#include <llvm/Support/MemoryBuffer.h>
#include <mutex>

#include "codegen-host/host.h"

namespace spirea::host {
namespace {

namespace jitlink = llvm::jitlink;
namespace orc = llvm::orc;
using Constructor = void (*)();

constexpr llvm::StringRef kInitArray = ".init_array";

/// Constructors run in the order of their sections' numbers; those without a number come last.
unsigned priority_of(llvm::StringRef section) {
  unsigned priority = 65535;
  if (section.consume_front(".init_array.")) section.getAsInteger(10, priority);
  return priority;
}

class ConstructorPlugin : public orc::ObjectLinkingLayer::Plugin {
 public:
  void modifyPassConfig(orc::MaterializationResponsibility&, jitlink::LinkGraph&,
                        jitlink::PassConfiguration& config) override {
    config.PrePrunePasses.push_back([](jitlink::LinkGraph& graph) {
      for (jitlink::Section& section : graph.sections())
        if (section.getName().starts_with(kInitArray))
          for (jitlink::Block* block : section.blocks())
            graph.addAnonymousSymbol(*block, 0, block->getSize(), /*IsCallable=*/false, /*IsLive=*/true);
      return llvm::Error::success();
    });
    config.PostFixupPasses.push_back([this](jitlink::LinkGraph& graph) {
      for (jitlink::Section& section : graph.sections())
        if (section.getName().starts_with(kInitArray)) collect(section);
      return llvm::Error::success();
    });
  }
  llvm::Error notifyFailed(orc::MaterializationResponsibility&) override { return llvm::Error::success(); }
  llvm::Error notifyRemovingResources(orc::JITDylib&, orc::ResourceKey) override {
    return llvm::Error::success();
  }
  void notifyTransferringResources(orc::JITDylib&, orc::ResourceKey, orc::ResourceKey) override {}

  /// The constructors found since the last call.
  std::vector<Constructor> take() {
    const std::lock_guard lock(mutex_);
    std::ranges::stable_sort(found_, {}, &Found::priority);
    std::vector<Constructor> constructors;
    for (const Found& found : found_) constructors.push_back(found.constructor);
    found_.clear();
    return constructors;
  }

 private:
  struct Found {
    unsigned priority;
    Constructor constructor;
  };

  void collect(jitlink::Section& section) {
    const std::lock_guard lock(mutex_);
    for (jitlink::Block* block : section.blocks()) {
      const llvm::ArrayRef<char> content = block->getContent();
      for (std::size_t at = 0; at + sizeof(Constructor) <= content.size(); at += sizeof(Constructor)) {
        Constructor constructor;
        std::memcpy(&constructor, content.data() + at, sizeof constructor);
        found_.push_back({priority_of(section.getName()), constructor});
      }
    }
  }

  std::mutex mutex_;
  std::vector<Found> found_;
};

/// The process's linker. What it links stays until exit, so it is never destroyed.
struct Linker {
  std::mutex mutex;  ///< one call of load_objects at a time
  std::unique_ptr<orc::ExecutionSession> session;
  std::unique_ptr<orc::ObjectLinkingLayer> layer;
  std::shared_ptr<ConstructorPlugin> constructors = std::make_shared<ConstructorPlugin>();
  std::string reported;  ///< errors that ORC reports on the side: they name the symbols that are missing
  unsigned loads = 0;

  llvm::Error start() {
    if (session != nullptr) return llvm::Error::success();
    auto process = orc::SelfExecutorProcessControl::Create();
    if (!process) return process.takeError();
    session = std::make_unique<orc::ExecutionSession>(std::move(*process));
    session->setErrorReporter(
        [this](llvm::Error error) { reported += llvm::toString(std::move(error)) + "; "; });
    layer = std::make_unique<orc::ObjectLinkingLayer>(*session);
    layer->addPlugin(constructors);
    return llvm::Error::success();
  }

  llvm::Error link(const std::vector<std::vector<char>>& objects) {
    if (llvm::Error error = start()) return error;
    orc::JITDylib& library = session->createBareJITDylib("kernels" + std::to_string(loads++));
    auto process_symbols = orc::DynamicLibrarySearchGenerator::GetForCurrentProcess('\0');
    if (!process_symbols) return process_symbols.takeError();
    library.addGenerator(std::move(*process_symbols));
    orc::SymbolLookupSet initializers;
    std::size_t index = 0;  // the names of initializer symbols are made from those of the buffers
    for (const std::vector<char>& object : objects) {
      const llvm::StringRef bytes(object.data(), object.size());
      auto buffer =
          llvm::MemoryBuffer::getMemBufferCopy(bytes, library.getName() + "." + std::to_string(index++));
      auto interface = orc::getObjectFileInterface(*session, buffer->getMemBufferRef());
      if (!interface) return interface.takeError();
      if (interface->InitSymbol)
        initializers.add(interface->InitSymbol, orc::SymbolLookupFlags::WeaklyReferencedSymbol);
      if (llvm::Error error =
              layer->add(library.getDefaultResourceTracker(), std::move(buffer), std::move(*interface)))
        return error;
    }
    return session
        ->lookup(orc::makeJITDylibSearchOrder(&library, orc::JITDylibLookupFlags::MatchAllSymbols),
                 initializers)
        .takeError();
  }
};

Linker& linker() {
  static Linker* const instance = new Linker;
  return *instance;
}

}  // namespace

kir::Result<void> load_objects(const std::vector<std::vector<char>>& objects) {
  Linker& linker = host::linker();
  const std::lock_guard lock(linker.mutex);
  linker.reported.clear();
  if (llvm::Error error = linker.link(objects))
    return kir::Diagnostic::error("cannot link host code into this process: " + linker.reported +
                                  llvm::toString(std::move(error)));
  for (const Constructor constructor : linker.constructors->take()) constructor();
  return {};
}

}  // namespace spirea::host
