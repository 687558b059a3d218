// For code that starts child processes.
#pragma once

namespace heddle::runtime {

void note_child_started();

/// Called in a process that was just forked from one under control: it runs free from now on.
void become_free_child();

/// Called by the running operation: from now on, when no operation can go on, heddle waits for child processes.
void watch_children();

}  // namespace heddle::runtime
