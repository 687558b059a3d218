// For those who start child processes.
#pragma once

namespace heddle::runtime {

void note_child_started();

/// By the running operation: from now on, when nobody can go on, heddle waits for child processes.
void watch_children();

}  // namespace heddle::runtime
