// The futex system call.
#pragma once

namespace heddle::runtime {

/// The call with these six arguments, as the kernel would answer it. Unknown operations: minus ENOSYS.
long futex(const long* argument, const void* place);

}  // namespace heddle::runtime
