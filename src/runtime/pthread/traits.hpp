// What a thread is told about itself and about others: its name, its scheduling policy and priority, the processors it
// may use, the size of its guard.
//
// None of it decides how an operation runs here, and the kernel knows only the thread that carries all of them. So
// these are kept in a table that lasts for one execution: each thread gets back what was set for it, inherits from its
// creator, and leaves nothing to the next execution. Whether a change is allowed, the kernel is asked. An execution in
// which nothing was set has no table.
#pragma once

#include <sched.h>

#include <cstddef>
#include <cstdint>

#include "base/ids.hpp"
#include "base/page_vector.hpp"

namespace heddle::runtime {

inline constexpr std::size_t kNameBytes = 16;  // in the kernel, with the zero at the end

struct Traits {
  cpu_set_t processors;
  std::size_t guard_bytes;
  int policy;
  int priority;
  char name[kNameBytes];
};

class TraitsTable {
 public:
  /// Called from home: notes what the first operation begins with.
  void begin_exploration();
  /// Called from home: what the kernel was told is undone.
  void end_execution();

  Traits& of(OperationId id);
  /// What an operation that the caller creates begins with.
  Traits for_child();
  void set(OperationId id, const Traits& given) { of(id) = given; }
  std::size_t usual_guard_bytes() const { return initial_.guard_bytes; }
  /// The processors that the process could use when the exploration began.
  const cpu_set_t& all_processors() const { return initial_.processors; }
  /// The kernel shows the name of the first operation as that of the process.
  void show_name(const char* name);

  bool is_in_use() const { return in_use_; }

 private:
  void use();

  Traits initial_{};
  PageVector<Traits> traits_;  // indexed by operation
  std::uint64_t execution_ = 0;
  bool in_use_ = false;
  bool shows_name_ = false;
};

extern TraitsTable traits;

/// The operation of a thread, of its id (0: the caller), or kNoOperation.
OperationId operation_of_thread(std::uintptr_t thread);
OperationId operation_of_thread_id(int thread);

/// Would the kernel let this process have them? Returns an error number.
int refusal_of(int policy, int priority);
/// Of those, the processors that there are. False: there is none.
bool restrict(cpu_set_t& wanted, std::size_t bytes, const cpu_set_t* given);

}  // namespace heddle::runtime
