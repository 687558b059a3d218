// System calls that a program makes by their number, where the function of that name is one of ours.
#pragma once

namespace heddle::runtime {

/// False: not one of them. The result is the kernel's: negative for an error.
bool call_by_number(long number, const long* argument, long& result, const void* place);

}  // namespace heddle::runtime
