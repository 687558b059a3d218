// An action that waits is a coroutine that returns heddle::Task and calls `co_await receive<Reply>()`.
//
//   heddle::Task ask(Request&& request) {
//     send(server_, Query{self()});
//     Answer answer = co_await receive<Answer>();
//     …
//   }
//
// While it waits, its machine takes only the events that it waits for; all others stay in the inbox. No thread blocks:
// the machine is suspended, both in test and in production. A task may await another.
#pragma once

#include <coroutine>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

#include "heddle/actor/event.hpp"

namespace heddle {

class Task {
 public:
  struct promise_type {
    std::exception_ptr exception;
    std::coroutine_handle<> awaited_by;

    Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    auto final_suspend() noexcept {
      struct Back {
        bool await_ready() noexcept { return false; }
        std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> done) noexcept {
          const std::coroutine_handle<> next = done.promise().awaited_by;
          return next ? next : std::noop_coroutine();
        }
        void await_resume() noexcept {}
      };
      return Back{};
    }
    void return_void() {}
    void unhandled_exception() { exception = std::current_exception(); }
  };

  Task() = default;
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Task() {
    if (handle_) handle_.destroy();
  }

  // For awaiting it in another task.
  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> by) noexcept {
    handle_.promise().awaited_by = by;
    return handle_;
  }
  void await_resume() { rethrow(); }

  // For the runtime.
  explicit operator bool() const { return static_cast<bool>(handle_); }
  bool is_done() const { return handle_.done(); }
  void resume() { handle_.resume(); }
  void rethrow() {
    if (handle_.promise().exception) std::rethrow_exception(handle_.promise().exception);
  }

 private:
  explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  std::coroutine_handle<promise_type> handle_;
};

/// A type of event that `receive` waits for, with an optional condition.
template <typename E>
struct When {
  using Event = E;
  std::function<bool(const E&)> predicate;  // empty: any event of the type
};

template <typename E>
When<E> when(std::function<bool(const E&)> predicate = {}) {
  return {std::move(predicate)};
}

namespace actor {

/// What a task waits for, from the view of its machine.
class Receive {
 public:
  virtual ~Receive() = default;
  /// Whether the task waits for this event.
  virtual bool matches(const EventBox& box) const = 0;
  /// Moves the value of a matching event out of the block.
  virtual void take(EventBox& box) = 0;
  /// For example `Reply or Abort`.
  virtual std::string names() const = 0;

  std::coroutine_handle<> waiting;
};

/// Registers the wait. Returns true if the inbox already had such an event, which was then taken.
bool begin_receive(MachineCore& core, Receive& receive);

template <typename... Es>
class ReceiveAny final : public Receive {
 public:
  ReceiveAny(MachineCore& core, When<Es>... of) : core_(core), of_(std::move(of)...) {}

  bool matches(const EventBox& box) const override { return (matches_one<Es>(box) || ...); }
  void take(EventBox& box) override { (take_one<Es>(box) || ...); }
  std::string names() const override {
    std::string text;
    ((text.append(text.empty() ? "" : " or ").append(event_type<Es>.name)), ...);
    return text;
  }

  bool await_ready() { return begin_receive(core_, *this); }
  void await_suspend(std::coroutine_handle<> handle) { waiting = handle; }
  auto await_resume() {
    if constexpr (sizeof...(Es) == 1)
      return std::get<0>(std::move(*result_));
    else
      return std::move(*result_);
  }

 private:
  template <typename E>
  bool matches_one(const EventBox& box) const {
    if (box.type != &event_type<E>) return false;
    const When<E>& when = std::get<When<E>>(of_);
    return !when.predicate || when.predicate(*static_cast<const E*>(box.value()));
  }
  template <typename E>
  bool take_one(EventBox& box) {
    if (box.type != &event_type<E>) return false;
    result_.emplace(std::in_place_type<E>, std::move(*static_cast<E*>(box.value())));
    return true;
  }

  MachineCore& core_;
  std::tuple<When<Es>...> of_;
  std::optional<std::variant<Es...>> result_;
};

}  // namespace actor
}  // namespace heddle
