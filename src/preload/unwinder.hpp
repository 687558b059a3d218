// The library that unwinds stacks, loaded before the first execution.
//
// libc loads it (libgcc_s) when a thread calls pthread_exit, is cancelled, or asks for a backtrace. Memory that is
// mapped within an execution cannot be put back. And if the library was there already, because another one needs it,
// the dynamic linker still notes the first dlopen of it, in memory of its own that nothing puts back either: the note
// points into the heap, and after that has been put back, at nothing. So a program that calls one of those could not be
// rewound.
#pragma once

namespace heddle::preload {

/// Loads it, for good, if the program can come to need it.
void load_unwinder_if_needed();

}  // namespace heddle::preload
