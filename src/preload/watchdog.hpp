// Something that heddle does not control holds everything up: a spin, a system call, a lock it does not know.
//
// The command sees that no execution ends and pokes the process with a signal, again and again. If the running
// operation has taken no step for a while, it is named, with where it stands; if it computes in code of the program's,
// it is made to yield there, so that the others go on: control is partial from then on, and the output says so. An
// operation that is in the kernel cannot be left: the command gives such an execution up.
#pragma once

#include "preload/channel.hpp"

namespace heddle::preload {

/// From here on this process, and every copy of it, can be poked.
void install_watchdog(Channel& channel);

}  // namespace heddle::preload
