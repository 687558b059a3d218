// Resolves the places in a trace to source lines, using elfutils' libdw.
#pragma once

#include "trace/trace.hpp"

namespace heddle::report {

/// Fills in the lines of places that have none, innermost inlined function first, from the files on disk: file and line
/// where there is DWARF, else the function's name from the symbol table, else nothing. Then names unnamed operations
/// after the outermost user function in their stacks. Asks no server for debug information.
void symbolize(Trace& trace);

}  // namespace heddle::report
