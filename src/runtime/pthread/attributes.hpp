// What the attributes of a new thread ask for.
#pragma once

#include <pthread.h>

#include "engine/executor.hpp"
#include "runtime/pthread/traits.hpp"
#include "runtime/signals/signals.hpp"

namespace heddle::runtime {

struct Wanted {
  engine::StackWish stack;
  bool is_detached = false;
  bool has_traits = false;  // `traits` are the creator's, changed by the attributes
  bool has_mask = false;
  Traits traits{};
  SignalSet mask = 0;
};

/// Returns the error number of pthread_create. `attributes` null: the usual ones, which the program can change.
int read_attributes(const pthread_attr_t* attributes, Wanted& wanted);
/// Did the program change what a thread without attributes gets?
extern bool usual_attributes_changed;

}  // namespace heddle::runtime
