// Signals to this process by its numbers, as the system calls name it.
#pragma once

#include <sys/types.h>

namespace heddle::runtime {

/// An error number; -1: the process is another one.
long send_to_process(pid_t process, int signal, const void* place);
int send_to_thread_id(pid_t thread, int signal, const void* place);

}  // namespace heddle::runtime
