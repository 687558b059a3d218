// Signals to this process by process or thread id, as system calls name them.
#pragma once

#include <sys/types.h>

namespace heddle::runtime {

/// Returns an error number; -1: it is another process.
long send_to_process(pid_t process, int signal, const void* place);
int send_to_thread_id(pid_t thread, int signal, const void* place);

}  // namespace heddle::runtime
