# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# spirea_add_kernels(): compiles the kernels of a target's C++ files and links them into it. Used by the samples and
# tests of this repository and, through find_package(Spirea), by everyone else's projects.

cmake_policy(PUSH)
cmake_policy(VERSION 3.20...3.25)

# -D, -U and -I flags of the compiler's flags in each configuration: the device compile must see the same layouts.
function(_spirea_configuration_flags result)
  set(flags "")
  set(configurations ${CMAKE_CONFIGURATION_TYPES})
  if(NOT configurations)
    set(configurations ${CMAKE_BUILD_TYPE})
  endif()
  separate_arguments(words NATIVE_COMMAND "${CMAKE_CXX_FLAGS}")
  list(FILTER words INCLUDE REGEX "^-[DUI].")
  list(APPEND flags ${words})
  foreach(configuration ${configurations})
    string(TOUPPER ${configuration} upper)
    separate_arguments(words NATIVE_COMMAND "${CMAKE_CXX_FLAGS_${upper}}")
    list(FILTER words INCLUDE REGEX "^-([DUI].|g$)")
    foreach(word IN LISTS words)
      list(APPEND flags "$<$<CONFIG:${configuration}>:${word}>")
    endforeach()
  endforeach()
  set(${result} "${flags}" PARENT_SCOPE)
endfunction()

# spirea_add_kernels(target sources... [OPTIONS flags...] [TARGETS vulkan|host ...])
#
# Each source is compiled once more, by spireac, to an object that holds its kernels for every device; the object is
# linked into the target, and the target to the runtime. Include folders, definitions and the C++ standard are the
# target's own, those of the libraries it links included. OPTIONS are further flags for spireac; TARGETS are the
# back ends (default: all).
function(spirea_add_kernels target)
  cmake_parse_arguments(ARG "" "" "OPTIONS;TARGETS" ${ARGN})
  if(NOT TARGET ${target})
    message(FATAL_ERROR "spirea_add_kernels: '${target}' is not a target")
  endif()
  if(NOT ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "spirea_add_kernels: no sources given for '${target}'")
  endif()

  set(includes "$<FILTER:$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>,EXCLUDE,^/usr/include/?$>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  set(standard "$<TARGET_PROPERTY:${target},CXX_STANDARD>")
  _spirea_configuration_flags(flags)
  list(APPEND flags
       "$<$<BOOL:${includes}>:-I$<JOIN:${includes},$<SEMICOLON>-I>>"
       "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},$<SEMICOLON>-D>>"
       "$<$<BOOL:${standard}>:-std=c++${standard}>"
       ${ARG_OPTIONS})
  if(ARG_TARGETS)
    list(JOIN ARG_TARGETS "," names)
    list(APPEND flags "--target=${names}")
  endif()

  foreach(source IN LISTS ARG_UNPARSED_ARGUMENTS)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE relative)
    string(REPLACE ".." "__" relative "${relative}")
    set(object "${CMAKE_CURRENT_BINARY_DIR}/${target}.spirea/${relative}.spirea.o")
    cmake_path(GET object PARENT_PATH folder)
    file(MAKE_DIRECTORY "${folder}")
    add_custom_command(
      OUTPUT "${object}"
      COMMAND Spirea::spireac "${source}" -c -o "${object}" -MD -MF "${object}.d" -MT "${object}" "${flags}"
      DEPENDS "${source}" "$<TARGET_FILE:Spirea::spireac>"
      DEPFILE "${object}.d"
      COMMENT "Compiling kernels of ${relative}"
      COMMAND_EXPAND_LISTS VERBATIM)
    set_source_files_properties("${object}" PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
    target_sources(${target} PRIVATE "${object}")
  endforeach()

  target_link_libraries(${target} PRIVATE Spirea::spirea)
  # The host's compiler need not warn of attributes that are not for it.
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-attributes=spirea::>
    $<$<COMPILE_LANG_AND_ID:CXX,Clang,AppleClang>:-Wno-unknown-attributes>)
endfunction()

cmake_policy(POP)
