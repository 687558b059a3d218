// Does the program observe the ends of threads without waiting for them?
//
// A thread that joins another cannot tell whether that one ended with its last event or some time later.
// pthread_tryjoin_np and joins with a timeout can. So the end of a thread is a step of its own only in programs that
// call one of these. Every other program would have one more scheduling point per thread, without any benefit.
#pragma once

namespace heddle::runtime {

/// True if any module loaded now imports one of these functions.
bool imports_observers_of_ends();

}  // namespace heddle::runtime
