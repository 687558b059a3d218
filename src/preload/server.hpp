// Explores a whole program, inside a process of that program that never reaches `main` itself.
#pragma once

#include "preload/channel.hpp"

namespace heddle::preload {

/// The mapping that `heddle run` made for this process; null if `heddle run` did not start it.
Channel* channel_of_environment();

/// Explores as the channel requests, and writes the findings there. Returns the exit code of this process.
int serve(Channel& channel);

}  // namespace heddle::preload
