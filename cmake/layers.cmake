# One target per folder of src/, so that a layer that uses a layer it may not see fails to link.

# Puts the sources of src/<folder> into <result>.
function(heddle_sources result folder)
  set(directory "${PROJECT_SOURCE_DIR}/src/${folder}")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${directory}/*.cpp" "${directory}/*.c" "${directory}/*.S")
  set(${result} ${sources} PARENT_SCOPE)
endfunction()

# Puts the layers that <name> may link, by src/layers.txt, into <result>. A layer that is not in the table is an error.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/layers.txt")
function(heddle_layers_below result name)
  file(STRINGS "${PROJECT_SOURCE_DIR}/src/layers.txt" row REGEX "^${name}:")
  if(NOT row)
    message(FATAL_ERROR "src/layers.txt has no layer ${name}")
  endif()
  string(REGEX REPLACE "^${name}:([^|]*).*$" "\\1" below "${row}")
  separate_arguments(below UNIX_COMMAND "${below}")
  set(${result} ${below} PARENT_SCOPE)
endfunction()

# heddle_layer(<name> [LIBRARIES <library>...])
#
# Makes the static library heddle_<name> of src/<name>. It sees the layers below it, and so do those that depend on it;
# its libraries stay its own. A folder without sources is a library of headers.
function(heddle_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "" "" "LIBRARIES")
  heddle_layers_below(layer_DEPENDS ${name})
  list(TRANSFORM layer_DEPENDS PREPEND heddle_)
  set(target heddle_${name})
  heddle_sources(sources ${name})
  if(sources)
    add_library(${target} STATIC ${sources})
    target_compile_definitions(${target} PRIVATE $<$<COMPILE_LANGUAGE:C>:_GNU_SOURCE>)
    target_link_libraries(${target} PRIVATE ${layer_LIBRARIES})
    set(scope PUBLIC)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(${target} ${scope} "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(${target} ${scope} ${layer_DEPENDS})
endfunction()

# A missing include is hidden where headers are precompiled or sources are joined. With this option neither is done, and
# every header is compiled by itself.
option(HEDDLE_EACH_ALONE "compile every source and every header by itself" OFF)
set(CMAKE_DISABLE_PRECOMPILE_HEADERS ${HEDDLE_EACH_ALONE})

function(heddle_compile_headers_alone)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/src/*.hpp")
  file(GLOB_RECURSE public CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/include/*.hpp"
                                             "${PROJECT_SOURCE_DIR}/include/*.h")
  foreach(header IN LISTS headers public)
    set(source "${PROJECT_BINARY_DIR}/generated/alone/${header}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "#include \"${header}\"\n")
    list(APPEND sources "${source}")
  endforeach()
  add_library(heddle_headers OBJECT ${sources})
  target_include_directories(heddle_headers PRIVATE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(heddle_headers PRIVATE Threads::Threads heddle_fmt heddle_libdw CLI11::CLI11
                                               nlohmann_json::nlohmann_json)
  target_compile_options(heddle_headers PRIVATE -O0 -Wno-unused-function -Wno-unused-const-variable)
endfunction()

# heddle_precompile(<layer> <header of src/>): what most of the layer's files include is compiled once.
function(heddle_precompile layer header)
  target_precompile_headers(heddle_${layer} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${PROJECT_SOURCE_DIR}/src/${header}>")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # As -Wno-restrict: it sees them where headers are precompiled.
    target_compile_options(heddle_${layer} PRIVATE -Wno-array-bounds -Wno-stringop-overflow)
  endif()
endfunction()

# heddle_shared_library()
#
# Makes libheddle.so of every object of api and of the layers below it, wanted by somebody or not: it takes the place of functions of
# libc that nobody in it calls. Its own calls stay inside it, and nothing of the libraries it uses is exported.
function(heddle_shared_library)
  set(anchor "${PROJECT_BINARY_DIR}/generated/anchor.cpp")
  set(exports "${PROJECT_BINARY_DIR}/generated/exports.map")
  file(CONFIGURE OUTPUT "${anchor}" CONTENT "// The objects come from the layers.\n")
  file(CONFIGURE OUTPUT "${exports}" CONTENT "{ local: _Z*3fmt2v*; };\n")

  add_library(heddle SHARED "${anchor}")
  add_library(heddle::heddle ALIAS heddle)
  heddle_layers_below(layers api)
  foreach(name IN LISTS layers ITEMS api)
    get_target_property(type heddle_${name} TYPE)
    if(type STREQUAL "STATIC_LIBRARY")
      # As objects, because CMake repeats archives that need each other, and whole archives bear no repetition.
      target_sources(heddle PRIVATE $<TARGET_OBJECTS:heddle_${name}>)
    endif()
    target_link_libraries(heddle PRIVATE heddle_${name})  # for the libraries that the layer needs
  endforeach()
  target_include_directories(heddle PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
  target_link_options(heddle PRIVATE LINKER:-Bsymbolic LINKER:-z,defs "LINKER:--version-script=${exports}")
  set_target_properties(heddle PROPERTIES LINK_DEPENDS "${exports}" HEDDLE_WHOLE ON)
endfunction()

# heddle_preload_library()
#
# Makes libheddle_preload.so, which `heddle run` loads into programs that may be of any kind: it brings its own C++
# library, hidden, needs nothing but libc, and keeps its memory apart from theirs.
function(heddle_preload_library)
  set(anchor "${PROJECT_BINARY_DIR}/generated/anchor.cpp")
  set(hidden "${PROJECT_BINARY_DIR}/generated/hidden.map")
  file(CONFIGURE OUTPUT "${anchor}" CONTENT "// The objects come from the layers.\n")
  file(CONFIGURE OUTPUT "${hidden}" CONTENT
       "{ global: _ZNSt13random_device9_M_getvalEv; _ZNSt13random_device16_M_getval_pretr1Ev; local: _Z*; };\n")
  add_library(heddle_preload_library SHARED "${anchor}")
  heddle_layers_below(layers preload)
  foreach(name IN LISTS layers ITEMS preload)
    target_sources(heddle_preload_library PRIVATE $<TARGET_OBJECTS:heddle_${name}>)
  endforeach()
  target_link_libraries(heddle_preload_library PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
  # Two functions of the C++ library are stood in for, and its own copies of them come in with others: ours are first.
  target_link_options(heddle_preload_library PRIVATE LINKER:-z,muldefs -static-libstdc++ -static-libgcc LINKER:--exclude-libs,ALL
                      LINKER:-Bsymbolic LINKER:-z,defs "LINKER:--version-script=${hidden}")
  set_target_properties(heddle_preload_library PROPERTIES OUTPUT_NAME heddle_preload LINK_DEPENDS "${hidden}")
endfunction()

# heddle_compile_together(<target made of src/actor>): its files six at a time, in half the time.
function(heddle_compile_together target)
  if(HEDDLE_EACH_ALONE)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
  # GCC warns of a class of the test kit that has an anonymous one in it, unless that is in the file itself.
  set_source_files_properties("${PROJECT_SOURCE_DIR}/src/actor/test_kit.cpp" TARGET_DIRECTORY ${target}
                              PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# heddle_actor_library(): makes libheddle_actor.a of src/actor, which programs made of state machines are linked with. In
# production it is all that they need; with libheddle beside it they can be explored.
function(heddle_actor_library)
  heddle_sources(sources actor)
  add_library(heddle_actor STATIC ${sources})
  add_library(heddle::actor ALIAS heddle_actor)
  target_compile_features(heddle_actor PUBLIC cxx_std_20)
  target_compile_options(heddle_actor PRIVATE $<$<CONFIG:RelWithDebInfo>:-O3>)
  target_include_directories(heddle_actor PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                          PRIVATE "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(heddle_actor PUBLIC Threads::Threads)
  set_target_properties(heddle_actor PROPERTIES EXPORT_NAME actor)
  heddle_compile_together(heddle_actor)
  if(HEDDLE_SANITIZE)  # no test of that build asks for it
    set_target_properties(heddle_actor PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
endfunction()

# heddle_memory_library(): makes libheddle_memory.so of src/tsan_standin, which instrumented programs are linked with. It
# stands for a sanitizer's runtime, so it has none in itself, and it needs nothing but libc.
function(heddle_memory_library)
  heddle_sources(sources tsan_standin)
  add_library(heddle_tsan_standin SHARED ${sources})
  add_library(heddle::memory ALIAS heddle_tsan_standin)
  target_compile_options(heddle_tsan_standin PRIVATE -mcx16 -fno-exceptions -fno-rtti -fno-builtin)
  target_link_options(heddle_tsan_standin PRIVATE LINKER:--as-needed LINKER:-z,defs)
  if(HEDDLE_SANITIZE)
    target_compile_options(heddle_tsan_standin PRIVATE -fno-sanitize=all)
    target_link_options(heddle_tsan_standin PRIVATE -fno-sanitize=all)
  endif()
  set_target_properties(heddle_tsan_standin PROPERTIES OUTPUT_NAME heddle_memory EXPORT_NAME memory
                        CXX_VISIBILITY_PRESET default)
endfunction()

# heddle_command()
#
# Makes the program `heddle` of src/cli, and the names by which it is a compiler.
function(heddle_command)
  heddle_sources(sources cli)
  if(NOT sources)
    return()
  endif()
  heddle_layers_below(layers cli)
  list(TRANSFORM layers PREPEND heddle_)
  add_executable(heddle_cli ${sources})
  target_link_libraries(heddle_cli PRIVATE ${layers} CLI11::CLI11 heddle_fmt nlohmann_json::nlohmann_json)
  set_target_properties(heddle_cli PROPERTIES OUTPUT_NAME heddle)
  target_compile_options(heddle_cli PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)  # it waits for others most of its time
  # Every file that includes CLI11 compiles all of it: these are compiled as one.
  if(NOT HEDDLE_EACH_ALONE)
    set_target_properties(heddle_cli PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
  endif()
  foreach(source IN LISTS sources)
    file(STRINGS "${source}" has_options REGEX "#include <CLI/CLI.hpp>")
    if(NOT has_options)
      set_source_files_properties("${source}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
  if(HEDDLE_SANITIZE)  # it is not under control, and no test of that build asks for it
    set_target_properties(heddle_cli PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
  foreach(name IN ITEMS heddle-cc heddle-c++)
    add_custom_command(TARGET heddle_cli POST_BUILD WORKING_DIRECTORY $<TARGET_FILE_DIR:heddle_cli>
                       COMMAND "${CMAKE_COMMAND}" -E create_symlink $<TARGET_FILE_NAME:heddle_cli> ${name} VERBATIM)
  endforeach()
endfunction()
