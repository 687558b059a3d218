// Does the program look at the ends of threads without waiting for them?
//
// Whoever joins a thread cannot tell whether it ended with its last event or some time after it. pthread_tryjoin_np and
// the joins with a timeout can. So the end of a thread is a step of its own only in programs that call one of those:
// every other program would have one scheduling point more for each thread, for nothing.
#pragma once

namespace heddle::runtime {

/// Does any module that is loaded now ask the dynamic linker for one of those functions?
bool imports_observers_of_ends();

}  // namespace heddle::runtime
