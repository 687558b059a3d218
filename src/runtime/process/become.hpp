// exec by a program under control: it becomes another program, which runs free.
//
// The process that explores cannot become another program. So a child does, and the execution ends when the child does,
// with its exit code. The threads of the program are gone after an exec; here they stand still.
#pragma once

#include <sys/types.h>

namespace heddle::runtime {

/// True if an exec must go through `become`: the caller is an operation of a whole program.
bool is_to_become();

/// Calls `exec` in a child and does not return, unless that fails: then errno says why, and the result is -1.
int become(int (*exec)(void*), void* argument, const void* place);

}  // namespace heddle::runtime
