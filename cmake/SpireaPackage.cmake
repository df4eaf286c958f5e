# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Install rules and the CMake package, in the build tree and in an install: lib/cmake/Spirea in both.
include(CMakePackageConfigHelpers)

set(SPIREA_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Spirea)
set(SPIREA_BUILD_PACKAGE_DIR ${PROJECT_BINARY_DIR}/lib/cmake/Spirea)

# The folder of a target does not have to know that it is installed.
install(TARGETS spirea spireac EXPORT SpireaTargets
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET spirea-interp)
  install(TARGETS spirea-interp LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(DIRECTORY runtime/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

install(EXPORT SpireaTargets NAMESPACE Spirea:: DESTINATION ${SPIREA_PACKAGE_DIR})
export(EXPORT SpireaTargets NAMESPACE Spirea:: FILE ${SPIREA_BUILD_PACKAGE_DIR}/SpireaTargets.cmake)

configure_package_config_file(cmake/SpireaConfig.cmake.in ${SPIREA_BUILD_PACKAGE_DIR}/SpireaConfig.cmake
                              INSTALL_DESTINATION ${SPIREA_PACKAGE_DIR})
write_basic_package_version_file(${SPIREA_BUILD_PACKAGE_DIR}/SpireaConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
configure_file(cmake/SpireaKernels.cmake ${SPIREA_BUILD_PACKAGE_DIR}/SpireaKernels.cmake COPYONLY)
install(FILES ${SPIREA_BUILD_PACKAGE_DIR}/SpireaConfig.cmake
              ${SPIREA_BUILD_PACKAGE_DIR}/SpireaConfigVersion.cmake
              cmake/SpireaKernels.cmake
        DESTINATION ${SPIREA_PACKAGE_DIR})
