// The program's process and thread ids: the same in every execution, although each may run in its own process, and
// although all operations may share one kernel thread.
//
// The process id is that of the first process that ran an execution. The threads of an execution are numbered from
// there: the first operation's thread id is the process id, as everywhere on Linux.
#pragma once

#include <sys/types.h>

#include "base/ids.hpp"

namespace heddle::runtime {

/// Called from home, before the first execution of this process or of one that it is a copy of; later calls change
/// nothing.
void remember_process();
/// The result of getpid in an execution.
pid_t process_id();
pid_t parent_process_id();
pid_t thread_id_of(OperationId id);
/// kNoOperation: not a thread of this execution.
OperationId operation_of(pid_t thread);
/// In a child process, which runs free: the real id of the process that getpid named in the parent. Otherwise
/// `process`.
pid_t real_process(pid_t process);
/// Called in a child process of an execution.
void become_child();

}  // namespace heddle::runtime
