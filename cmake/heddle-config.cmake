# What find_package(heddle) reads: the targets heddle::heddle and heddle::memory, and heddle_instrument().
include("${CMAKE_CURRENT_LIST_DIR}/heddle-targets.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/instrument.cmake")
