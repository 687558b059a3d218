// Child processes of the program. They run free: heddle schedules only the process that it explores.
#pragma once

#include <cstdint>

namespace heddle::runtime {

/// No operation can go on: waits for a child process to end, or for a signal of one, and moves on the operation that
/// waits for it. False: none waits.
bool wait_for_children();

/// How many the process has started under control since it began; the report says so if there are any.
std::uint64_t children_started();

/// Are this process and what it starts out of heddle's control, because it is a child of an execution?
bool is_free_child();

}  // namespace heddle::runtime
