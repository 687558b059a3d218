// What the intercepted functions share: the running execution, the objects that it has met, and its threads.
//
// An intercepted function first asks whether the caller is under control (engine/control.hpp) and else goes straight
// to libc. Then it finds the resource of its object here, steps up to its event, and lets the event take effect.
#pragma once

#include <pthread.h>
#include <signal.h>

#include <array>
#include <cstdint>

#include "base/ids.hpp"
#include "base/page_vector.hpp"
#include "engine/control.hpp"
#include "engine/execution.hpp"
#include "engine/in_process.hpp"
#include "model/event.hpp"
#include "model/resource.hpp"
#include "runtime/resource_table.hpp"

namespace heddle::runtime {

/// A destructor of a thread_local object, to be run when its thread ends.
struct ThreadLocalDestructor {
  void (*function)(void*) = nullptr;
  void* object = nullptr;
  std::uint32_t next = 0;  // index + 1 of the one registered before; 0: none
};

/// What the pthread front knows of an operation.
struct Thread {
  void* (*body)(void*) = nullptr;
  void* argument = nullptr;
  void* result = nullptr;
  char* exit_stack = nullptr;           // where pthread_exit lands: pthread/exit.cpp
  ResourceId wait_mutex = kNoResource;  // to be taken again after a condition wait
  stack_t signal_stack{nullptr, SS_DISABLE, 0};
  std::uint32_t destructors = 0;  // index + 1 of the last registered; 0: none
  std::uint32_t robust_held = 0;  // robust mutexes that it holds
  bool cancel_requested = false;
  bool cancel_disabled = false;
  bool woken_to_cancel = false;  // taken out of a wait by pthread_cancel
  bool barrier_serial = false;
  bool exit_is_prepared = false;
};

inline constexpr std::size_t kExitFrameBytes = 16 * 1024;  // the dynamic linker may run there, and needs some

class Front final : public engine::Program {
 public:
  using Body = void (*)(void*);

  void set_body(Body body, void* argument);

  /// The same for a whole program: its `main` ends by `exit`, and the process goes on after an operation 0 that ended.
  void set_program(Body calls_main) {
    set_body(calls_main, nullptr);
    is_program_ = true;
  }
  bool is_program() const { return is_program_; }
  /// The end of a thread is a step: for a program whose imports do not tell, because heddle is linked into it.
  void see_ends() { ends_are_seen_ = true; }
  /// The program has called `exit`, or has returned from `main`.
  void begin_exit() { is_exiting_ = true; }
  bool is_exiting() const { return is_exiting_; }
  /// By the operation that ended the program, when there is nothing left to do.
  [[noreturn]] void end_program(int code);
  void accept_exit(int code) { accepted_exits_[code & 255] = true; }

  engine::Entry main() override;
  void before_execution(engine::Execution& execution) override;
  void after_execution(engine::Execution& execution) override;
  void describe(TraceHeader& header) const override;

  engine::Execution& execution() { return *engine::control.execution; }
  std::uint64_t execution_number() const { return executions_; }  // from 1; no two of a process have the same
  engine::Scheduler& scheduler() { return execution().scheduler(); }
  OperationId self() { return execution().self(); }
  Thread& thread(OperationId id) { return threads_[index(id)]; }
  Thread& this_thread() { return thread(self()); }
  ResourceTable& table() { return table_; }
  ResourceTable& past() { return past_; }

  /// The resource that models the object at `address`; `make` builds it when this execution meets it first.
  template <typename Make>
  ResourceId resource(const void* address, model::ResourceKind kind, const Make& make) {
    const ResourceId known = table_.find(address, kind);
    if (known != kNoResource) [[likely]]
      return known;
    return first_met(address, kind, make);
  }
  model::Resource& at(ResourceId id) { return scheduler().resource(id); }
  /// The object at `address` is gone; the next one there is another.
  void forget(const void* address, model::ResourceKind kind);
  /// The same as `resource` for who stood before an event of `known` meanwhile.
  template <typename Find>
  ResourceId still(ResourceId known, const Find& find) {
    return at(known).gone ? find() : known;
  }

  /// Is this the call of pthread_create that makes the body known to a sanitizer?
  bool takes_introduction(void* (*body)(void*), void* argument);
  OperationId start_thread(void* (*body)(void*), void* argument, bool detached);
  void at_thread_exit(void (*function)(void*), void* object);
  /// Runs what must run at the end of the calling thread, and ends its operation.
  [[noreturn]] void end_thread(void* result);

 private:
  template <typename Make>
  [[gnu::noinline]] ResourceId first_met(const void* address, model::ResourceKind kind, const Make& make) {
    const ResourceId id = scheduler().add_resource(kind, address);
    make(scheduler().resource(id));
    table_.set(address, kind, id);
    return id;
  }
  static void run_thread(void* id);
  static void* call_body(void*);
  void introduce_main();
  void know_thread(OperationId id);
  /// kNoOperation: nobody in this execution.
  OperationId last_on_same_stack(OperationId id);
  void run_destructors();

  Body body_ = nullptr;
  void* body_argument_ = nullptr;
  bool is_program_ = false;
  bool is_exiting_ = false;
  bool ends_are_seen_ = false;              // pthread/observed_ends.hpp
  std::array<bool, 256> accepted_exits_{};  // of a program: codes that are no failure
  ResourceTable table_;
  ResourceTable past_;          // what was initialised or destroyed by a call: runtime/misuse.cpp
  PageVector<Thread> threads_;  // indexed by operation
  PageVector<ThreadLocalDestructor> destructors_;
  std::uint64_t executions_ = 0;
  std::uintptr_t introducing_ = 0;  // the thread pointer of the thread that does; 0: none
};

extern Front front;

/// Is the caller under control, and which event stands for the call?
using engine::is_controlled;
inline model::Event event(model::EventKind kind, ResourceId resource, const void* place) {
  return {kind, resource, place};
}

// pthread/keys.cpp
void run_key_destructors();
void clear_keys();
void delete_keys_of_execution();
// pthread/mutex.cpp
void abandon_robust_mutexes(OperationId owner);
ResourceId mutex_resource(pthread_mutex_t* mutex);
// pthread/cancel.cpp
[[noreturn]] void end_cancelled();
/// The operation leaves the wait at that event, in order to end.
void take_out_to_cancel(OperationId id, const model::Event& waits);

/// At a cancellation point: ends the thread if somebody asked for that.
inline void act_on_cancel() {
  const Thread& mine = front.this_thread();
  if (mine.cancel_requested && !mine.cancel_disabled) [[unlikely]]
    end_cancelled();
}

/// After a wait that is a cancellation point: was it ended by pthread_cancel?
inline bool taken_out_to_cancel() {
  Thread& mine = front.this_thread();
  if (!mine.woken_to_cancel) [[likely]]
    return false;
  mine.woken_to_cancel = false;
  return true;
}

}  // namespace heddle::runtime

#define HEDDLE_PLACE __builtin_return_address(0)
