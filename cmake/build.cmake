# How everything is compiled: the language, the flags, and where the results go.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()
if(PROJECT_IS_TOP_LEVEL)
  # No NDEBUG: heddle's checks are always on, and assertions are what the programs under test fail by.
  foreach(language IN ITEMS C CXX ASM)
    if(HEDDLE_SANITIZE)  # for its checks, not for its speed
      set(CMAKE_${language}_FLAGS_RELWITHDEBINFO "-O1 -g1")
    else()  # lines and functions; a program under test adds -g, and with it its variables
      set(CMAKE_${language}_FLAGS_RELWITHDEBINFO "-O2 -g1")
    endif()
  endforeach()
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)

set(CMAKE_POSITION_INDEPENDENT_CODE ON)
include(CheckPIESupported)
check_pie_supported()
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")

if(PROJECT_IS_TOP_LEVEL)
  add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Werror)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-restrict)  # GCC 12 sees overlapping copies in std::string where there are none (PR 105651)
  endif()
endif()

set(HEDDLE_SANITIZE "" CACHE STRING "a sanitizer to build everything with, for example address")
if(HEDDLE_SANITIZE)
  add_compile_options(-fsanitize=${HEDDLE_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${HEDDLE_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-maybe-uninitialized)  # unreliable in instrumented code, as GCC's manual says
  endif()
endif()

# heddle_fast_path(<layer>...)
#
# The layers on the path of a scheduling point: optimized harder and, in libheddle.so, once more as a whole, because
# they call each other all the time. Their objects serve both ways of linking; everything else (tests, the command)
# links them as they are.
set(HEDDLE_OPTIMIZES_WHOLE OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo" AND NOT HEDDLE_SANITIZE)
  set(HEDDLE_OPTIMIZES_WHOLE ON)
  add_link_options($<IF:$<BOOL:$<TARGET_PROPERTY:HEDDLE_WHOLE>>,-flto=auto,-fno-lto>)
endif()

function(heddle_fast_path)
  foreach(layer IN LISTS ARGV)
    target_compile_options(heddle_${layer} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O3>)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")  # clears of a hundred bytes: `rep stos` takes 10 ns to begin
      target_compile_options(heddle_${layer} PRIVATE
                             -mmemset-strategy=unrolled_loop:256:noalign,rep_8byte:8192:noalign,libcall:-1:noalign)
    endif()
    if(HEDDLE_OPTIMIZES_WHOLE)
      # GCC 12 then takes what poll may only write to, by its declaration, for something never written.
      target_compile_options(heddle_${layer} PRIVATE -flto=auto -ffat-lto-objects -Wno-maybe-uninitialized)
    endif()
  endforeach()
endfunction()
