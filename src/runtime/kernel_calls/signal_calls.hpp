// System calls whose sets of signals have another form than those of libc: 64 bits, with their size beside them.
#pragma once

namespace heddle::runtime {

// Each takes the arguments of the call and returns as the kernel does.
long set_action(const long* argument);
long set_mask(const long* argument);
long pending_signals(const long* argument);
long wait_for_signal(const long* argument);
long suspend_with_mask(const long* argument);
long poll_with_mask(const long* argument);
long select_with_mask(const long* argument);

}  // namespace heddle::runtime
