// System calls that a program makes by number, through `syscall` or by an instruction of its own. Each has the meaning
// of the function of that name.
#pragma once

namespace heddle::runtime {

/// False: heddle has nothing to say about this call, and the kernel is to make it. The result is as the kernel's:
/// negative for an error. `place` is the instruction behind the call.
bool call_by_number(long number, const long* argument, long& result, const void* place);

}  // namespace heddle::runtime
