// Source lines of the places in a trace, by elfutils' libdw.
#pragma once

#include "trace/trace.hpp"

namespace heddle::report {

/// Fills in the lines of places that have none, innermost inlined function first, from the files on disk: file and line
/// where there is DWARF, else the function's name from the symbol table, else nothing. Then names the operations that
/// have no name after the outermost of the user's functions in their stacks. Asks no server for debug information.
void symbolize(Trace& trace);

}  // namespace heddle::report
