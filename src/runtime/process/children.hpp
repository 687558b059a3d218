// Child processes of the program. They run free: heddle schedules only the process that it explores.
#pragma once

#include <cstdint>

namespace heddle::runtime {

/// No operation can go on: waits for a child process to end or to send a signal, and moves on the operation that waits
/// for it. False: none waits.
bool wait_for_children();

/// The number of processes started under control since this process began; the report shows it if not zero.
std::uint64_t children_started();

/// True if this process and what it starts are out of heddle's control, because it is a child of an execution.
bool is_free_child();

}  // namespace heddle::runtime
