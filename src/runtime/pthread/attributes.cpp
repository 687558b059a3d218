#include "runtime/pthread/attributes.hpp"

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "engine/donor.hpp"
#include "runtime/front.hpp"
#include "runtime/real.hpp"

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_REAL(pthread_getattr_np);
HEDDLE_REAL(pthread_setattr_default_np);

namespace heddle::runtime {

bool usual_attributes_changed = false;

namespace {

/// The creator's, if nothing was asked for yet.
Traits& traits_of(Wanted& wanted) {
  if (!wanted.has_traits) wanted.traits = traits.for_child();
  wanted.has_traits = true;
  return wanted.traits;
}

void read_stack(const pthread_attr_t& attributes, Wanted& wanted) {
  void* memory = nullptr;
  std::size_t bytes = 0;
  std::size_t guard_bytes = 0;
  pthread_attr_getstack(&attributes, &memory, &bytes);
  // libc notes the end of the memory, and gives back the difference, whether memory was set or not.
  const bool has_memory = reinterpret_cast<std::uintptr_t>(memory) + bytes != 0;
  if (!has_memory) pthread_attr_getstacksize(&attributes, &bytes);
  if (has_memory) {
    wanted.stack = {bytes & ~std::size_t{15}, static_cast<char*>(memory)};
  } else if (!engine::is_usual_stack(bytes)) {
    wanted.stack.bytes = engine::whole_pages(bytes);
  }
  pthread_attr_getguardsize(&attributes, &guard_bytes);
  guard_bytes = has_memory ? 0 : engine::whole_pages(guard_bytes);
  if (guard_bytes != traits.usual_guard_bytes()) traits_of(wanted).guard_bytes = guard_bytes;
}

int read_scheduling(const pthread_attr_t& attributes, Wanted& wanted) {
  int inherits = PTHREAD_INHERIT_SCHED;
  pthread_attr_getinheritsched(&attributes, &inherits);
  if (inherits == PTHREAD_INHERIT_SCHED) return 0;
  int policy = SCHED_OTHER;
  sched_param parameters{};
  pthread_attr_getschedpolicy(&attributes, &policy);
  pthread_attr_getschedparam(&attributes, &parameters);
  if (const int error = refusal_of(policy, parameters.sched_priority)) return error;
  Traits& asked = traits_of(wanted);
  asked.policy = policy;
  asked.priority = parameters.sched_priority;
  return 0;
}

int read_processors(const pthread_attr_t& attributes, Wanted& wanted) {
  cpu_set_t given;
  if (pthread_attr_getaffinity_np(&attributes, sizeof given, &given) != 0) return 0;
  cpu_set_t all;
  std::memset(&all, 0xff, sizeof all);
  if (std::memcmp(&given, &all, sizeof all) == 0) return 0;  // so libc says that none were set
  return restrict(traits_of(wanted).processors, sizeof given, &given) ? 0 : EINVAL;
}

int read(const pthread_attr_t& attributes, Wanted& wanted) {
  int detach_state = PTHREAD_CREATE_JOINABLE;
  pthread_attr_getdetachstate(&attributes, &detach_state);
  wanted.is_detached = detach_state == PTHREAD_CREATE_DETACHED;
  read_stack(attributes, wanted);
  sigset_t mask;
  if (pthread_attr_getsigmask_np(&attributes, &mask) == 0) {
    wanted.has_mask = true;
    wanted.mask = as_set(mask);
  }
  if (const int error = read_scheduling(attributes, wanted)) return error;
  return read_processors(attributes, wanted);
}

/// Fills in what the thread would be told by libc, if libc ran it.
void describe(OperationId id, pthread_attr_t* attributes) {
  const engine::StackBounds stack = front.execution().executor().stack(id);
  const model::Lifetime& lifetime = front.execution().lifetime_of(id).lifetime;
  const Traits& its = traits.of(id);
  pthread_attr_init(attributes);
  pthread_attr_setdetachstate(attributes, lifetime.is_detached() ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
  pthread_attr_setstack(attributes, const_cast<char*>(stack.high) - stack.asked, stack.asked);
  pthread_attr_setguardsize(attributes, id == kMainOperation ? 0 : its.guard_bytes);  // as for libc's first thread
  sched_param parameters{};
  parameters.sched_priority = its.priority;
  pthread_attr_setschedpolicy(attributes, its.policy);
  pthread_attr_setschedparam(attributes, &parameters);
  pthread_attr_setaffinity_np(attributes, sizeof its.processors, &its.processors);
}

}  // namespace

int read_attributes(const pthread_attr_t* attributes, Wanted& wanted) {
  if (attributes != nullptr) return read(*attributes, wanted);
  pthread_attr_t usual;
  pthread_getattr_default_np(&usual);
  const int error = read(usual, wanted);
  pthread_attr_destroy(&usual);
  return error;
}

}  // namespace heddle::runtime

HEDDLE_EXPORT int pthread_getattr_np(pthread_t thread, pthread_attr_t* attributes) noexcept {
  const OperationId id = is_controlled() ? operation_of_thread(thread) : kNoOperation;
  if (id == kNoOperation) return real_pthread_getattr_np(thread, attributes);
  describe(id, attributes);
  return 0;
}

HEDDLE_EXPORT int pthread_setattr_default_np(const pthread_attr_t* attributes) noexcept {
  if (is_controlled()) usual_attributes_changed = true;
  return real_pthread_setattr_default_np(attributes);
}
