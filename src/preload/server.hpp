// The exploration of a whole program, inside a process of it that never gets to `main` itself.
#pragma once

#include "preload/channel.hpp"

namespace heddle::preload {

/// The mapping that `heddle run` made for this process; null if it was not started by it.
Channel* channel_of_environment();

/// Explores as the channel asks, and writes there what came of it. Returns the exit code of this process.
int serve(Channel& channel);

}  // namespace heddle::preload
