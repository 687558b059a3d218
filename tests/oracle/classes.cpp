#include "oracle/classes.hpp"

#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

#include "oracle/state.hpp"

namespace heddle::oracle {
namespace {

enum class Object : std::uint8_t { itself, memory, mutex, spin, lock, semaphore, condition };

struct Use {
  Object object = Object::itself;
  std::uint8_t number = 0;
  bool changes = true;
};
using Uses = std::vector<Use>;

Uses uses_of(const Instruction& call) {
  switch (call.op) {
    case Op::load:
    case Op::store:
    case Op::add:
      return {{Object::memory}};
    case Op::lock:
    case Op::try_lock:
    case Op::unlock:
      return {{Object::mutex, call.a}};
    case Op::spin_lock:
    case Op::spin_try:
    case Op::spin_unlock:
      return {{Object::spin, call.a}};
    case Op::read_lock:
    case Op::try_read:
      return {{Object::lock, call.a, false}};
    case Op::write_lock:
    case Op::try_write:
    case Op::rw_unlock:
      return {{Object::lock, call.a}};
    case Op::acquire:
    case Op::try_acquire:
    case Op::post:
      return {{Object::semaphore, call.a}};
    case Op::value_of:
      return {{Object::semaphore, call.a, false}};
    case Op::wait:
      return {{Object::condition, call.a}, {Object::mutex, call.b}};
    case Op::signal:
    case Op::broadcast:
      return {{Object::condition, call.a}};
    default:
      return {{Object::itself, 0, false}};
  }
}

/// Of the next step of a thread. That a thread ends is not a step: only a join sees it, which waits for it.
Uses uses_of(const Program& program, const State& state, std::size_t thread) {
  const ThreadState& self = state.threads[thread];
  if (self.phase == Phase::ending) return {};
  if (self.phase != Phase::acting && self.phase != Phase::relocking) return {{Object::itself, 0, false}};
  const Instruction& call = program.threads[thread][self.at];
  if (self.phase == Phase::relocking) return {{Object::mutex, call.b}};
  return uses_of(call);
}

/// A step of memory may be any access: it comes before or after every other step.
bool conflict(const Uses& one, const Uses& other) {
  for (const Use& a : one)
    for (const Use& b : other) {
      if (a.object == Object::memory || b.object == Object::memory) return true;
      if (a.object == b.object && a.number == b.number && (a.changes || b.changes)) return true;
    }
  return false;
}

class Executions {
 public:
  Executions(const Program& program, std::size_t most) : program_(program), most_(most) {}

  std::optional<std::size_t> classes() {
    State first = first_state(program_);
    first.starts_are_steps = true;
    walk(first);
    if (executions_ > most_) return std::nullopt;
    return classes_.size();
  }

 private:
  struct Step {
    int thread;
    int nth;    // of its thread
    int value;  // that was chosen
    Uses uses;
  };
  using Order = std::set<std::tuple<int, int, int, int>>;

  void walk(const State& state) {
    if (executions_ > most_) return;
    bool is_end = true;
    for (int thread = 0; !state.is_over && thread < kThreads; ++thread) {
      std::vector<State> next;
      add_steps(program_, state, thread, next);
      for (std::size_t i = 0; i < next.size(); ++i) {
        is_end = false;
        path_.push_back({thread, taken_[thread]++, static_cast<int>(i),
                         uses_of(program_, state, static_cast<std::size_t>(thread))});
        walk(next[i]);
        path_.pop_back();
        --taken_[thread];
      }
    }
    if (!is_end) return;
    ++executions_;
    classes_.insert(order());
  }

  Order order() const {
    Order order;
    for (std::size_t i = 0; i < path_.size(); ++i) {
      const Step& one = path_[i];
      order.insert({one.thread, one.nth, -1, one.value});
      for (std::size_t j = i + 1; j < path_.size(); ++j)
        if (conflict(one.uses, path_[j].uses)) order.insert({one.thread, one.nth, path_[j].thread, path_[j].nth});
    }
    return order;
  }

  const Program& program_;
  const std::size_t most_;
  std::vector<Step> path_;
  int taken_[kThreads] = {};
  std::size_t executions_ = 0;
  std::set<Order> classes_;
};

Op plain(Op op) {
  switch (op) {
    case Op::timed_lock:
      return Op::lock;
    case Op::timed_read:
      return Op::read_lock;
    case Op::timed_write:
      return Op::write_lock;
    case Op::timed_acquire:
      return Op::acquire;
    case Op::timed_wait:
      return Op::wait;
    case Op::skip_if:
    case Op::create:
    case Op::join:
      return op;
    default:
      return uses_of({op}).front().object == Object::itself ? Op::value_of : op;
  }
}

}  // namespace

Program only_plain_calls(Program program) {
  for (auto& thread : program.threads)
    for (Instruction& call : thread) {
      const Op op = plain(call.op);
      if (op == Op::value_of && op != call.op) call.a = 0;
      call.op = op;
    }
  for (MutexKind& kind : program.mutexes)
    if (kind == MutexKind::robust) kind = MutexKind::normal;
  return program;
}

std::optional<std::size_t> count_classes(const Program& program, std::size_t executions_max) {
  return Executions(program, executions_max).classes();
}

}  // namespace heddle::oracle
