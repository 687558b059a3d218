#include "runtime/front.hpp"

#include <dlfcn.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "base/arch/x86_64/thread_pointer.hpp"
#include "base/check.hpp"
#include "runtime/io/descriptors.hpp"
#include "runtime/io/waiting.hpp"
#include "runtime/kernel_calls/traps.hpp"
#include "runtime/process/children.hpp"
#include "runtime/process/identity.hpp"
#include "runtime/pthread/observed_ends.hpp"
#include "runtime/pthread/traits.hpp"
#include "runtime/real.hpp"
#include "runtime/signals/signals.hpp"
#include "runtime/tsan/guards.hpp"
#include "runtime/tsan/watch.hpp"

extern "C" void __asan_init() __attribute__((weak));

namespace heddle::runtime {

Front front;

void Front::set_body(Body body, void* argument) {
  body_ = body;
  body_argument_ = argument;
  ends_are_seen_ = imports_observers_of_ends();
  remember_process();
  signals.begin_exploration();
  traits.begin_exploration();
}

engine::Entry Front::main() { return {run_thread, nullptr}; }  // the first operation has id 0

void Front::before_exploration() { traps.begin_exploration(); }
void Front::after_exploration() { traps.end_exploration(); }
void Front::about_to_run() { traps.begin_here(); }

void Front::before_execution(engine::Execution& execution) {
  ++executions_;
  is_exiting_ = false;
  code_of_first_ = -1;
  io::descriptors.begin(executions_);
  io::waiting.begin(execution);
  table_.forget_all();
  past_.forget_all();
  threads_.clear();
  threads_.append().body = call_body;
  destructors_.clear();
  if (&__asan_init != nullptr) introduce_main();
}

// AddressSanitizer learns of a thread by intercepting its creation. No thread creates the operation that runs the body.
// So the call is made on its behalf, and the function that the sanitizer wants the thread to run becomes the body.
void Front::introduce_main() {
  using Create = int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  // Looked up as by the program: this library's own lookups find its own functions first.
  static auto* const outermost = reinterpret_cast<Create*>(dlsym(dlopen(nullptr, RTLD_NOW), "pthread_create"));
  pthread_t unused;
  introducing_ = thread_pointer();
  outermost(&unused, nullptr, call_body, nullptr);
  introducing_ = 0;
}

bool Front::takes_introduction(void* (*body)(void*), void* argument) {
  if (introducing_ != thread_pointer()) [[likely]]  // free threads may create others meanwhile
    return false;
  threads_[0].body = body;
  threads_[0].argument = argument;
  return true;
}

void* Front::call_body(void*) {
  front.body_(front.body_argument_);
  return nullptr;
}

void Front::forget(const void* address, model::ResourceKind kind) {
  const ResourceId known = table_.find(address, kind);
  if (known != kNoResource) {
    scheduler().touch(known, model::Does::ends);
    at(known).gone = true;
  }
  table_.set(address, kind, kNoResource);
}

void Front::after_execution(engine::Execution& execution) {
  delete_keys_of_execution();
  watch.end();
  if (execution.verdict().kind != VerdictKind::passed) io::descriptors.close_leftovers();  // nothing else can
  abandon_initialisations();
  if (signals_in_use) signals.end_execution();
  if (traits.is_in_use()) traits.end_execution();
}

void Front::describe(TraceHeader& header) const {
  const Promoted& promoted = watch.promoted();
  if (watch.ignored().any()) header.options.emplace_back("ignored_races", watch.ignored().text());
  if (promoted.in_use() > 0) header.options.emplace_back("promoted", promoted.text(promoted.in_use()));
}

[[gnu::always_inline]] inline void Front::run(Thread& mine) {
  void* (*const body)(void*) = mine.body;  // the table may move meanwhile
  void* const argument = mine.argument;
  const bool begins = !std::exchange(mine.has_begun, true);
  if (signals_in_use && begins) [[unlikely]] {
    front.scheduler().touch(signals.resource(), model::Does::writes);
    signals.handle_pending();  // signals sent before it began
  }
  front.end_thread(body(argument));
}

void Front::run_thread(void* id) {
  const OperationId self{static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(id))};
  Thread& mine = front.thread(self);
  if (self == kMainOperation || mine.is_late) front.know_thread(self);  // the others are known since they were created
  if (self == kMainOperation) watch.begin();
  clear_keys();
  errno = 0;
  traps.begin_here();  // on the baton, this is a thread of its own
  if (!mine.has_own_stack) [[likely]]
    run_below_exit_frames(mine);
  // The program's memory may be too small for frames of heddle's, and the stack of the thread itself is unused. libc
  // takes that to be above all others.
  mine.exit_stack = front.execution().executor().top_of_thread(self);
  run(mine);
}

void Front::run_below_exit_frames(Thread& mine) {
  alignas(16) char exit_frames[kExitFrameBytes];  // for pthread_exit: above all frames of the program
  mine.exit_stack = exit_frames + sizeof exit_frames;
  run(mine);
}

OperationId Front::start_thread(void* (*body)(void*), void* argument, bool detached, const engine::StackWish& stack) {
  const std::uintptr_t id = scheduler().operation_count();
  const auto created = execution().create({run_thread, reinterpret_cast<void*>(id)}, detached, stack);
  if (created.operation == kNoOperation) return kNoOperation;
  HEDDLE_CHECK(threads_.size() <= id, "an operation that the pthread front knows already");
  while (threads_.size() < id) threads_.append();  // operations of another front
  Thread& made = threads_.append(body, argument);
  made.has_own_stack = stack.memory != nullptr;
  made.is_late = stack.late;
  if (memory_is_watched) [[unlikely]]
    watch.add(created.operation, self(), last_on_same_stack(created.operation));
  if (!stack.late) know_thread(created.operation);
  if (signals_in_use) [[unlikely]]
    signals.inherit(created.operation);
  if (traits.is_in_use()) [[unlikely]]
    traits.set(created.operation, traits.for_child());
  return created.operation;
}

OperationId Front::last_on_same_stack(OperationId id) {
  const void* const thread_pointer = reinterpret_cast<void*>(execution().executor().thread_pointer(id));
  const ResourceId known = table_.find(thread_pointer, model::ResourceKind::operation);
  return known != kNoResource ? at(known).lifetime.of() : kNoOperation;
}

void Front::know_thread(OperationId id) {
  table_.set(reinterpret_cast<void*>(execution().executor().thread_pointer(id)), model::ResourceKind::operation,
             execution().lifetime_id(id));
}

bool Front::may_lose_thread() { return this_thread().destructors == 0 && !has_key_values(); }

void Front::at_thread_exit(void (*function)(void*), void* object) {
  Thread& mine = this_thread();
  destructors_.push_back({function, object, mine.destructors});
  mine.destructors = static_cast<std::uint32_t>(destructors_.size());
}

void Front::run_destructors() {
  while (this_thread().destructors != 0) {
    const ThreadLocalDestructor last = destructors_[this_thread().destructors - 1];
    this_thread().destructors = last.next;
    last.function(last.object);  // may step, and may register more
  }
  run_key_destructors();
}

void Front::end_program(int code) {
  if (!accepted_exits_[static_cast<unsigned>(code) & 255]) {
    char text[80];
    std::snprintf(text, sizeof text, "the program ended with exit code %d", code & 255);
    execution().fail(VerdictKind::exited, text);
  }
  execution().pass();
}

void Front::step_to_end() {
  const ResourceId lifetime = execution().lifetime_id(self());
  if (this_thread().robust_held > 0) at(lifetime).lifetime.leave_locks();
  if (scheduler().enabled().size() > 1) execution().step(event(model::EventKind::end, lifetime, nullptr));
}

void Front::end_thread(void* result, Ending ending) {
  if (ending == Ending::by_libc) [[likely]] {
    if (is_free_child()) std::exit(0);  // in a child process this is the last thread
    run_destructors();
  }
  if (ends_are_seen_ || this_thread().robust_held > 0) [[unlikely]]
    step_to_end();
  if (is_program_ && scheduler().live_count() == 1) {
    if (code_of_first_ >= 0) end_program(code_of_first_);
    exit(0);  // as the end of a process's last thread does
  }
  Thread& mine = this_thread();
  mine.result = result;
  if (mine.robust_held > 0) abandon_robust_mutexes(self());
  execution().end_operation();
}

void Front::end_thread_at_once(int code) {
  if (self() == kMainOperation) code_of_first_ = code;
  end_thread(nullptr, Ending::by_kernel);
}

}  // namespace heddle::runtime
