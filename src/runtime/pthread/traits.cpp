#include "runtime/pthread/traits.hpp"

#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cstring>

#include "base/raw.hpp"
#include "runtime/front.hpp"
#include "runtime/process/identity.hpp"

namespace heddle::runtime {

TraitsTable traits;

namespace {

std::size_t usual_guard() {
  pthread_attr_t usual;
  std::size_t bytes = 0;
  pthread_getattr_default_np(&usual);
  pthread_attr_getguardsize(&usual, &bytes);
  pthread_attr_destroy(&usual);
  return bytes;
}

long call_prctl(long option, const char* name) {
  return raw::syscall6(SYS_prctl, option, reinterpret_cast<long>(name), 0, 0, 0, 0);
}

}  // namespace

void TraitsTable::begin_exploration() {
  initial_ = {};
  raw::syscall6(SYS_sched_getaffinity, 0, sizeof initial_.processors, reinterpret_cast<long>(&initial_.processors), 0,
                0, 0);
  sched_param parameters{};
  raw::syscall6(SYS_sched_getparam, 0, reinterpret_cast<long>(&parameters), 0, 0, 0, 0);
  initial_.policy = static_cast<int>(raw::syscall6(SYS_sched_getscheduler, 0, 0, 0, 0, 0, 0));
  initial_.priority = parameters.sched_priority;
  initial_.guard_bytes = usual_guard();
  call_prctl(PR_GET_NAME, initial_.name);
}

void TraitsTable::end_execution() {
  in_use_ = false;
  if (shows_name_) call_prctl(PR_SET_NAME, initial_.name);
  shows_name_ = false;
}

void TraitsTable::use() {
  if (in_use_ && execution_ == front.execution_number()) return;
  in_use_ = true;
  execution_ = front.execution_number();
  traits_.clear();
}

Traits& TraitsTable::of(OperationId id) {
  use();
  while (traits_.size() <= index(id)) traits_.push_back(initial_);
  return traits_[index(id)];
}

Traits TraitsTable::for_child() {
  Traits inherited = of(front.self());
  inherited.guard_bytes = initial_.guard_bytes;
  return inherited;
}

void TraitsTable::show_name(const char* name) {
  shows_name_ = true;
  call_prctl(PR_SET_NAME, name);
}

OperationId operation_of_thread(std::uintptr_t thread) {
  const ResourceId known = front.table().find(reinterpret_cast<void*>(thread), model::ResourceKind::operation);
  return known == kNoResource ? kNoOperation : front.at(known).lifetime.of();
}

OperationId operation_of_thread_id(int thread) { return thread == 0 ? front.self() : operation_of(thread); }

// Asks for it and gives it back: the rules (limits, capabilities, groups, containers) are the kernel's.
int refusal_of(int policy, int priority) {
  if (policy == SCHED_OTHER && priority == 0) return 0;
  sched_param before{};
  const long policy_before = raw::syscall6(SYS_sched_getscheduler, 0, 0, 0, 0, 0, 0);
  raw::syscall6(SYS_sched_getparam, 0, reinterpret_cast<long>(&before), 0, 0, 0, 0);
  sched_param wanted{};
  wanted.sched_priority = priority;
  const long result = raw::syscall6(SYS_sched_setscheduler, 0, policy, reinterpret_cast<long>(&wanted), 0, 0, 0);
  if (result < 0) return static_cast<int>(-result);
  raw::syscall6(SYS_sched_setscheduler, 0, policy_before, reinterpret_cast<long>(&before), 0, 0, 0);
  return 0;
}

bool restrict(cpu_set_t& wanted, std::size_t bytes, const cpu_set_t* given) {
  cpu_set_t set{};
  std::memcpy(&set, given, std::min(bytes, sizeof set));
  CPU_AND(&set, &set, &traits.all_processors());
  if (CPU_COUNT(&set) == 0) return false;
  wanted = set;
  return true;
}

}  // namespace heddle::runtime
