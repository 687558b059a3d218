// The whole state of an execution between two steps, as text: what every operation stands before and whether it can go
// on, every resource, the clock, and the memory of the program.
//
// Two orders of the same steps lead to the same state exactly if the texts are equal. So a resource is named by its
// object, not by when it was first met, and what only reports look at is left out.
#pragma once

#include <string>

#include "engine/scheduler.hpp"
#include "oracle/threads.hpp"

namespace heddle::oracle {

std::string snapshot(engine::Scheduler& scheduler, const Threads& threads);

}  // namespace heddle::oracle
