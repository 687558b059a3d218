// Code of heddle that reads what a crashed program may have destroyed, such as its stack: a fault there must not end
// the process.
#pragma once

namespace heddle::engine {

/// Calls the function. False: a fatal signal ended it in the middle. It must hold no lock and own nothing.
bool attempt(void (*function)(void*), void* argument);

/// For the handler of fatal signals: if the running code is an attempt, it ends here, and this does not return.
void end_attempt();

}  // namespace heddle::engine
