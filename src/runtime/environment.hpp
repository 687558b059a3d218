// The environment of a program under control: the other side of its descriptors, signals, child processes.
#pragma once

namespace heddle::runtime {

/// Called by the running operation, which depends on the environment from here on.
void use_environment();

}  // namespace heddle::runtime
