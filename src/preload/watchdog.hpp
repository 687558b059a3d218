// Detects when something outside heddle's control blocks all progress: a spin loop, a system call, an unknown lock.
//
// The command sees that no execution ends and repeatedly pokes the process with a signal. If the running operation has
// taken no step for a while, it is named together with its location. If it is computing in the program's own code, it
// is made to yield there so that the others can continue; from then on control is partial, and the output says so. An
// operation inside the kernel cannot be interrupted this way: the command gives up such an execution.
#pragma once

#include "preload/channel.hpp"

namespace heddle::preload {

/// From now on this process, and every copy of it, can be poked.
void install_watchdog(Channel& channel);

}  // namespace heddle::preload
