# The libraries that heddle stands on, all from the distribution. Nothing here is seen by a user of the library.

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)  # header-only, so that the program under test never has to load it
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)

find_path(HEDDLE_LIBDW_INCLUDE elfutils/libdwfl.h REQUIRED)
find_library(HEDDLE_LIBDW dw REQUIRED)
mark_as_advanced(HEDDLE_LIBDW_INCLUDE HEDDLE_LIBDW)
add_library(heddle_libdw INTERFACE IMPORTED)
target_include_directories(heddle_libdw INTERFACE "${HEDDLE_LIBDW_INCLUDE}")
target_link_libraries(heddle_libdw INTERFACE "${HEDDLE_LIBDW}")
