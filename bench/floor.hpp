// The floor: what an execution costs if nothing is done but what no controlled execution can do without. Bare contexts
// that are made, joined and switched between, each with a write of the FS base; the next one is drawn at random among
// those that can go on. Nothing is recorded, nothing checked, and nothing is intercepted: programs call it directly.
//
// A program is a function that uses `Floor::Thread` and `Floor::Lock` in place of those of the standard library, whose
// objects cost memory and time of their own. Every lock, unlock, create and join is a point, as under heddle.
#pragma once

#include <array>
#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench {

class Floor {
 public:
  static constexpr std::uint32_t kOperationsMax = 8;

  class Lock {
   public:
    void lock() {
      if (held_) wait();
      floor.point();
      while (held_) wait();
      held_ = true;
    }
    void unlock() {
      floor.point();
      held_ = false;
      while (waiting_ != 0) {  // all of them want it
        floor.enable(static_cast<std::uint32_t>(__builtin_ctz(waiting_)));
        waiting_ &= waiting_ - 1;
      }
    }

   private:
    void wait() {
      waiting_ |= 1u << floor.current_;
      floor.leave_enabled();
    }

    bool held_ = false;
    std::uint32_t waiting_ = 0;  // a bit each
  };

  /// Calls `body`, which outlives it, as an operation of its own.
  class Thread {
   public:
    template <typename Body>
    explicit Thread(Body& body) : number_(floor.create([](void* it) { (*static_cast<Body*>(it))(); }, &body)) {}
    void join() const { floor.join(number_); }

   private:
    std::uint32_t number_;
  };

  /// An execution of `body`, which is operation 0.
  void run(void (*body)()) {
    body_ = body;
    count_ = 0;
    enabled_count_ = 0;
    previous_ = kNone;
    thread_pointer_ = reinterpret_cast<std::uintptr_t>(__builtin_thread_pointer());
    add([](void*) { floor.body_(); }, nullptr);
    current_ = 0;
    boost::context::detail::jump_fcontext(operations_[0].context, nullptr);
  }

  /// The running operation stands before something that it can do at any time.
  void point() { switch_to(enabled_[below(enabled_count_)]); }

  static Floor floor;

 private:
  using Context = boost::context::detail::fcontext_t;
  using Transfer = boost::context::detail::transfer_t;
  static constexpr std::size_t kStackBytes = 16 * 1024;
  static constexpr std::uint32_t kNone = ~0u;

  struct Operation {
    Context context = nullptr;
    void (*function)(void*) = nullptr;
    void* argument = nullptr;
    std::uint32_t joiner = kNone;
    bool ended = false;
    std::vector<char> stack = std::vector<char>(kStackBytes);
  };

  static void begin_operation(Transfer from) {
    floor.arrived(from);
    const Operation& mine = floor.operations_[floor.current_];
    mine.function(mine.argument);
    floor.end();
  }

  void add(void (*function)(void*), void* argument) {
    Operation& fresh = operations_[count_];
    fresh.function = function;
    fresh.argument = argument;
    fresh.joiner = kNone;
    fresh.ended = false;
    fresh.context =
        boost::context::detail::make_fcontext(fresh.stack.data() + kStackBytes, kStackBytes, begin_operation);
    enable(count_++);
  }

  std::uint32_t create(void (*function)(void*), void* argument) {
    point();
    add(function, argument);
    return count_ - 1;
  }

  void join(std::uint32_t number) {
    Operation& of = operations_[number];
    if (of.ended) return point();
    of.joiner = current_;
    leave_enabled();
  }

  void end() {
    Operation& mine = operations_[current_];
    mine.ended = true;
    if (mine.joiner != kNone) enable(mine.joiner);
    disable_current();
    if (current_ == 0) boost::context::detail::jump_fcontext(home_, nullptr);
    switch_to(enabled_[below(enabled_count_)]);
  }

  void enable(std::uint32_t number) { enabled_[enabled_count_++] = number; }

  void disable_current() {
    std::uint32_t at = 0;
    while (enabled_[at] != current_) ++at;
    enabled_[at] = enabled_[--enabled_count_];
  }

  void leave_enabled() {
    disable_current();
    switch_to(enabled_[below(enabled_count_)]);
  }

  void switch_to(std::uint32_t next) {
    if (next == current_) return;
    previous_ = current_;
    current_ = next;
    asm volatile("wrfsbase %0" ::"r"(thread_pointer_) : "memory");
    arrived(boost::context::detail::jump_fcontext(operations_[next].context, nullptr));
  }

  /// The context that was left is where its operation goes on; the first one was left by `run`.
  void arrived(Transfer from) {
    if (previous_ == kNone)
      home_ = from.fctx;
    else
      operations_[previous_].context = from.fctx;
  }

  std::uint32_t below(std::uint32_t bound) {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    random_ ^= random_ << 17;
    return static_cast<std::uint32_t>((random_ & 0xffffffff) * bound >> 32);
  }

  std::array<Operation, kOperationsMax> operations_;
  std::array<std::uint32_t, kOperationsMax> enabled_{};
  std::uint32_t enabled_count_ = 0;
  std::uint32_t count_ = 0;
  std::uint32_t current_ = 0;
  std::uint32_t previous_ = kNone;
  std::uintptr_t thread_pointer_ = 0;
  std::uint64_t random_ = 0x9e3779b97f4a7c15;
  void (*body_)() = nullptr;
  Context home_ = nullptr;
};

inline Floor Floor::floor;

}  // namespace bench
