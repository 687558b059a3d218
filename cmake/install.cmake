# `cmake --install build` puts the library, its headers and the program where find_package(heddle) finds them.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package "${CMAKE_INSTALL_LIBDIR}/cmake/heddle")
set(version_file "${PROJECT_BINARY_DIR}/generated/heddle-config-version.cmake")
write_basic_package_version_file("${version_file}" COMPATIBILITY SameMinorVersion)

install(TARGETS heddle heddle_actor heddle_tsan_standin EXPORT heddle INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(EXPORT heddle FILE heddle-targets.cmake NAMESPACE heddle:: DESTINATION "${package}")
install(FILES "${PROJECT_SOURCE_DIR}/cmake/heddle-config.cmake" "${PROJECT_SOURCE_DIR}/cmake/instrument.cmake"
              "${version_file}" DESTINATION "${package}")
if(TARGET heddle_cli)
  install(TARGETS heddle_cli)
  install(FILES "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/heddle-cc" "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/heddle-c++"
          DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
if(TARGET heddle_preload_library)
  install(TARGETS heddle_preload_library)
endif()
