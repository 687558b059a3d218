# What find_package(heddle) reads: the targets heddle::heddle, heddle::actor and heddle::memory, and heddle_instrument().
include(CMakeFindDependencyMacro)
find_dependency(Threads)
include("${CMAKE_CURRENT_LIST_DIR}/heddle-targets.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/instrument.cmake")
