// Who the program is: the same in every execution, although each may run in a process of its own, and although all
// operations may share one kernel thread.
//
// The process is called what the first process was that ran an execution. The threads of an execution are numbered from
// there: that of the first operation is the process, as everywhere on Linux.
#pragma once

#include <sys/types.h>

#include "base/ids.hpp"

namespace heddle::runtime {

/// From home, before the first execution of the process or of one that it is a copy of; later calls change nothing.
void remember_process();
/// What getpid says in an execution.
pid_t process_id();
pid_t parent_process_id();
pid_t thread_id_of(OperationId id);
/// kNoOperation: no thread of this execution.
OperationId operation_of(pid_t thread);
/// In a child process, which runs free: the real number of what getpid called the parent. Else the number itself.
pid_t real_process(pid_t process);
/// In a child process of an execution.
void become_child();

}  // namespace heddle::runtime
