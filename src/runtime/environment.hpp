// What lies outside of a program that runs under control: the other side of its descriptors, signals, child processes.
#pragma once

namespace heddle::runtime {

/// By the running operation, which depends on it from here on.
void use_environment();

}  // namespace heddle::runtime
