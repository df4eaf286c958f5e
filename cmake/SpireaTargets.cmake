# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compile options and helper functions that the folders' CMakeLists.txt share.

find_program(SPIREA_CCACHE ccache)
if(SPIREA_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # What ccache does not look at unless told so: precompiled headers, and __TIME__ in the files behind them.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${SPIREA_CCACHE})
endif()

if(SPIREA_ASSERTIONS)
  string(REPLACE "-DNDEBUG" "" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
endif()
string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")

# Options of every target: warnings, and include paths from the repository's root. GCC 12 sees uninitialized reads in
# std::optional that are none.
function(spirea_target_options target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wno-missing-field-initializers
                         $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
                         $<$<BOOL:${SPIREA_WERROR}>:-Werror>)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                              $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}>)
endfunction()

# spirea_add_library(target sources... LINK libraries...): a static library, the one target of a folder.
function(spirea_add_library target)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_library(${target} STATIC ${ARG_UNPARSED_ARGUMENTS})
  spirea_target_options(${target})
  target_link_libraries(${target} PUBLIC ${ARG_LINK})
endfunction()

# spirea_precompile(target header): a precompiled header, of which ccache must know the contents.
function(spirea_precompile target header)
  target_precompile_headers(${target} PRIVATE ${header})
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endfunction()

# LLVM and Clang, shared, as a target for frontend/ and codegen-host/ alone.
function(spirea_find_llvm)
  if(TARGET spirea_llvm)
    return()
  endif()
  find_package(LLVM 22.1 REQUIRED CONFIG PATHS /usr/lib/llvm-22/lib/cmake/llvm)
  set(SPIREA_LLVM_VERSION ${LLVM_PACKAGE_VERSION} CACHE INTERNAL "LLVM's version")
  set(SPIREA_LLVM_BIN_DIR ${LLVM_TOOLS_BINARY_DIR} CACHE INTERNAL "where LLVM's tools are")
  add_library(spirea_llvm INTERFACE)
  target_include_directories(spirea_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
  target_link_directories(spirea_llvm INTERFACE ${LLVM_LIBRARY_DIRS})
  target_link_libraries(spirea_llvm INTERFACE LLVM)
  add_library(spirea_clang INTERFACE)
  target_link_libraries(spirea_clang INTERFACE spirea_llvm clang-cpp)
endfunction()

# spirea_add_unit_test(name sources... LINK libraries...): a GoogleTest binary, build/tests/unit/<name>Tests, which
# the test runner finds there.
function(spirea_add_unit_test name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  find_package(GTest REQUIRED)
  add_executable(${name}Tests ${ARG_UNPARSED_ARGUMENTS})
  spirea_target_options(${name}Tests)
  target_link_libraries(${name}Tests PRIVATE ${ARG_LINK} GTest::gmock GTest::gtest GTest::gtest_main)
  set_target_properties(${name}Tests PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests/unit)
  add_dependencies(spirea-tests ${name}Tests)
endfunction()
