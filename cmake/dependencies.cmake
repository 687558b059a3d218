# The libraries that heddle depends on, all from the distribution. Users of the library see none of them.

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)

find_path(HEDDLE_LIBDW_INCLUDE elfutils/libdwfl.h REQUIRED)
find_library(HEDDLE_LIBDW dw REQUIRED)
mark_as_advanced(HEDDLE_LIBDW_INCLUDE HEDDLE_LIBDW)
add_library(heddle_libdw INTERFACE IMPORTED)
target_include_directories(heddle_libdw INTERFACE "${HEDDLE_LIBDW_INCLUDE}")
target_link_libraries(heddle_libdw INTERFACE "${HEDDLE_LIBDW}")

# Compiled once, from its headers: see there.
add_library(heddle_fmt STATIC "${CMAKE_CURRENT_LIST_DIR}/fmt.cpp")
get_target_property(fmt_include fmt::fmt-header-only INTERFACE_INCLUDE_DIRECTORIES)
target_include_directories(heddle_fmt SYSTEM PUBLIC "${fmt_include}")
