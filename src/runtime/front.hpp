// What the intercepted functions share: the running execution, the objects that it has met, and its threads.
//
// An intercepted function first checks whether the caller is under control (engine/control.hpp); if not, it goes
// straight to libc. Otherwise it looks up the resource of its object here, steps up to its event, and lets the event
// take effect.
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

/// A destructor of a thread_local object, to run when its thread ends.
struct ThreadLocalDestructor {
  void (*function)(void*) = nullptr;
  void* object = nullptr;
  std::uint32_t next = 0;  // index + 1 of the destructor registered before; 0: none
};

/// The pthread front's data about an operation.
struct Thread {
  Thread() = default;
  Thread(void* (*runs)(void*), void* with) : body(runs), argument(with) {}

  void* (*body)(void*) = nullptr;
  void* argument = nullptr;
  void* result = nullptr;
  char* exit_stack = nullptr;           // where pthread_exit lands: pthread/exit.cpp
  ResourceId wait_mutex = kNoResource;  // taken again after a condition wait
  stack_t signal_stack{nullptr, SS_DISABLE, 0};
  std::uint32_t destructors = 0;  // index + 1 of the last registered; 0: none
  std::uint32_t robust_held = 0;  // robust mutexes that it holds
  bool cancel_requested = false;
  bool cancel_disabled = false;
  bool woken_to_cancel = false;  // taken out of a wait by pthread_cancel
  bool barrier_serial = false;
  bool exit_is_prepared = false;
  bool cancel_is_asynchronous = false;
  bool has_own_stack = false;  // memory of the program's
  bool is_late = false;        // has a thread only while it runs or is in the middle of something
  bool has_begun = false;      // known only if it is late
};

inline constexpr std::size_t kExitFrameBytes = 16 * 1024;  // includes room for the dynamic linker, which may run there

class Front final : public engine::Program {
 public:
  using Body = void (*)(void*);

  void set_body(Body body, void* argument);

  /// The same for a whole program: its `main` ends with `exit`, and the process continues after operation 0 has ended.
  void set_program(Body calls_main) {
    set_body(calls_main, nullptr);
    is_program_ = true;
  }
  bool is_program() const { return is_program_; }
  /// Makes the end of a thread a step. For a program whose imports do not show the need, because heddle is linked into
  /// it.
  void see_ends(bool seen = true) { ends_are_seen_ = seen; }
  /// The program has called `exit`, or has returned from `main`.
  void begin_exit() {
    is_exiting_ = true;
    exiting_ = self();
  }
  OperationId exiting() const { return exiting_; }
  bool is_exiting() const { return is_exiting_; }
  /// Called by the operation that ended the program, when there is nothing left to do.
  [[noreturn]] void end_program(int code);
  void accept_exit(int code) { accepted_exits_[code & 255] = true; }

  engine::Entry main() override;
  void before_exploration() override;
  void after_exploration() override;
  void about_to_run() override;
  void before_execution(engine::Execution& execution) override;
  void after_execution(engine::Execution& execution) override;
  void describe(TraceHeader& header) const override;

  engine::Execution& execution() { return *engine::control.execution; }
  std::uint64_t execution_number() const { return executions_; }  // from 1; unique within a process
  engine::Scheduler& scheduler() { return execution().scheduler(); }
  OperationId self() { return execution().self(); }
  Thread& thread(OperationId id) { return threads_[index(id)]; }
  Thread& this_thread() { return thread(self()); }
  ResourceTable& table() { return table_; }
  ResourceTable& past() { return past_; }

  /// The resource that models the object at `address`; `make` builds it when this execution first meets the object.
  template <typename Make>
  ResourceId resource(const void* address, model::ResourceKind kind, const Make& make) {
    const ResourceId known = table_.find(address, kind);
    if (known != kNoResource) [[likely]]
      return known;
    return first_met(address, kind, make);
  }
  model::Resource& at(ResourceId id) { return scheduler().resource(id); }
  /// The object at `address` is gone; the next one at this address is a different object.
  void forget(const void* address, model::ResourceKind kind);
  /// The same as `resource`, for an operation that has meanwhile stood before an event of `known`.
  template <typename Find>
  ResourceId still(ResourceId known, const Find& find) {
    return at(known).gone ? find() : known;
  }

  /// A step that may touch anything, of which nobody knows if no other operation could go before it.
  void step_if_others_can(const void* place) {
    if (scheduler().enabled().size() > 1) execution().step({model::EventKind::step, kNoResource, place});
  }

  /// The running operation has let others go on. Where accesses are not seen, what it does next is a step of its own.
  [[gnu::always_inline]] void released(const void* place) {
    if (scheduler().settings().points == engine::Points::release) [[unlikely]]
      go_on_after_release(place);
  }

  /// Is this the call of pthread_create that makes the body known to a sanitizer?
  bool takes_introduction(void* (*body)(void*), void* argument);
  OperationId start_thread(void* (*body)(void*), void* argument, bool detached, const engine::StackWish& stack = {});
  /// True if the calling thread keeps nothing that would be lost if the operation went on in another thread.
  bool may_lose_thread();
  void at_thread_exit(void (*function)(void*), void* object);
  enum class Ending : std::uint8_t { by_libc, by_kernel };
  /// Runs what must run at the end of the calling thread, and ends its operation.
  [[noreturn]] void end_thread(void* result, Ending ending = Ending::by_libc);
  /// The same as the kernel ends a thread: without destructors, and without exit handlers after the last one.
  [[noreturn]] void end_thread_at_once(int code);

 private:
  template <typename Make>
  [[gnu::noinline]] ResourceId first_met(const void* address, model::ResourceKind kind, const Make& make) {
    const ResourceId id = scheduler().add_resource(kind, address);
    make(scheduler().resource(id));
    table_.set(address, kind, id);
    return id;
  }
  [[gnu::noinline]] void go_on_after_release(const void* place) {
    if (scheduler().enabled().size() > 1) execution().step({model::EventKind::go_on, kNoResource, place});
  }
  static void run_thread(void* id);
  [[noreturn, gnu::noinline]] static void run_below_exit_frames(Thread& mine);
  [[noreturn]] static void run(Thread& mine);
  /// Other operations can tell when the calling thread ends: its end is a step.
  [[gnu::noinline]] void step_to_end();
  static void* call_body(void*);
  void introduce_main();
  /// Finds the operation by the thread that it has now.
  void know_thread(OperationId id);
  /// kNoOperation: none in this execution.
  OperationId last_on_same_stack(OperationId id);
  void run_destructors();

  Body body_ = nullptr;
  void* body_argument_ = nullptr;
  bool is_program_ = false;
  bool is_exiting_ = false;
  OperationId exiting_ = kNoOperation;
  int code_of_first_ = -1;                  // of the first thread, if the kernel ended it; -1: it did not
  bool ends_are_seen_ = false;              // pthread/observed_ends.hpp
  std::array<bool, 256> accepted_exits_{};  // of a program: codes that are not a failure
  ResourceTable table_;
  ResourceTable past_;          // objects that were initialised or destroyed by a call: runtime/misuse.cpp
  PageVector<Thread> threads_;  // indexed by operation
  PageVector<ThreadLocalDestructor> destructors_;
  std::uint64_t executions_ = 0;
  std::uintptr_t introducing_ = 0;  // the thread pointer of the thread that introduces main; 0: none
};

extern Front front;

/// Is the caller under control, and which event represents the call?
using engine::is_controlled;
inline model::Event event(model::EventKind kind, ResourceId resource, const void* place) {
  return {kind, resource, place};
}

// pthread/keys.cpp
void run_key_destructors();
void clear_keys();
bool has_key_values();
void delete_keys_of_execution();
// pthread/mutex.cpp
void abandon_robust_mutexes(OperationId owner);
ResourceId mutex_resource(pthread_mutex_t* mutex);
// pthread/cancel.cpp
[[noreturn]] void end_cancelled();
/// The operation leaves the wait at that event in order to end.
void take_out_to_cancel(OperationId id, const model::Event& waits);

/// At a cancellation point: ends the thread if its cancellation was requested.
inline void act_on_cancel() {
  const Thread& mine = front.this_thread();
  if (mine.cancel_requested && !mine.cancel_disabled) [[unlikely]]
    end_cancelled();
}

/// After a wait that is a cancellation point: true if pthread_cancel ended it.
inline bool taken_out_to_cancel() {
  Thread& mine = front.this_thread();
  if (!mine.woken_to_cancel) [[likely]]
    return false;
  mine.woken_to_cancel = false;
  return true;
}

/// Set for the function that a system call by number is handed to (kernel_calls/by_number.hpp): where it was made.
extern const void* place_by_number;
inline const void* place_of_call(const void* caller) {
  if (place_by_number == nullptr) [[likely]]
    return caller;
  const void* const place = place_by_number;
  place_by_number = nullptr;  // other operations may run before the call has ended
  return place;
}

}  // namespace heddle::runtime

#define HEDDLE_PLACE __builtin_return_address(0)
/// The same in functions that stand for a system call: it may have been made by number.
#define HEDDLE_CALL_PLACE ::heddle::runtime::place_of_call(__builtin_return_address(0))
