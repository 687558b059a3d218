// OpenMP programs that use LLVM's runtime, libomp.
#pragma once

namespace heddle::preload {

/// At the end of a program, libomp spins until threads that it let fall asleep have noticed: with `pause` and nothing
/// else, so no other operation would run. It does not, if threads that wait never fall asleep; they yield, then.
/// (libgomp is told by a variable: GOMP_SPINCOUNT.)
void settle_openmp();

}  // namespace heddle::preload
