// The rules of machines and monitors, as plain code without threads.
//
// States form a stack. An event is looked up from the top. The top state contributes all its lines; the states below
// contribute their actions, defers and ignores, but not their transitions; the line nearest to the top wins. An event
// that no state takes pops the top state and is looked up again; in the last state it is unhandled. When an action has
// ended, the transition it requested is carried out, then any that follows from it, until nothing is left to do. P#
// (Deligiannis et al. 2015, Figure 4) has one state and one method a state. The rest is as in its successor Coyote,
// with two differences: a requested transition to the current state leaves and re-enters it, and a deferred event that
// is raised is unhandled.
//
// An action may be a task, which returns before it has ended. Then `is_suspended` holds, and everything continues from
// there when the task is resumed.
#pragma once

#include <coroutine>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "actor/table.hpp"
#include "heddle/actor/machine.hpp"
#include "heddle/actor/runtime.hpp"

namespace heddle::actor {

/// Thrown through an action; no other code knows the type.
struct Abandoned {};

class Interpreter {
 public:
  Interpreter(const Table& table, void* base) : table_(table), object_(base) {}
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  const Table& table() const { return table_; }
  bool is_suspended() const { return static_cast<bool>(task_); }
  StateIndex top() const { return stack_.back(); }
  const std::vector<StateIndex>& stack() const { return stack_; }
  std::string_view state_name() const { return stack_.empty() ? std::string_view("(new)") : table_.state_name(top()); }
  /// The event being handled; null: none.
  const EventType* event_type() const { return type_; }

  /// Called by an action. A second request is an error.
  void wish(Wish what, const TypeInfo* state, EventBox* box);

 protected:
  ~Interpreter() = default;

  // Implemented by the owner.
  virtual void failed(FailureKind kind, const std::string& what) = 0;  // may return; then the machine halts
  virtual void release(EventBox* box) noexcept = 0;
  virtual void changed(LogRecord::What how, StateIndex state) = 0;  // state: entered, pushed, popped
  virtual void raised(const EventType& type) = 0;
  virtual void halted() = 0;
  virtual void threw(const std::string& what) = 0;
  virtual std::string who() const = 0;

  void set_object(void* base) { object_ = base; }
  /// Enters the start state.
  void enter_start();
  /// Handles an event that `cell_for` does not defer. The value lives until `handled` is called.
  void handle(const EventType& type, void* value);
  void run_idle();
  /// Continues the task where it, or a task that it awaits, was suspended.
  void resume(std::coroutine_handle<> suspended);
  /// How the state stack takes an event. Does::nothing: the top state is popped, or the event is unhandled.
  const Cell& cell_for(const EventType& type) const {
    const Cell& cell = table_.cell(stack_.back(), type);
    return stack_.size() == 1 || cell.does != Does::nothing ? cell : inherited(type);
  }
  bool is_halted() const { return is_halted_; }
  /// The current event and everything that followed from it have been handled.
  virtual void handled() noexcept = 0;
  void drop_task() { task_ = Task(); }
  /// The running action has failed and must not continue: leaves it, and the machine halts.
  void abandon() const {
    if (!is_halted_) throw Abandoned{};
  }

 private:
  const Cell& inherited(const EventType& type) const;
  void dispatch(const EventType& type, void* value);
  bool run(const Action& action, const EventType* type, void* value);
  void begin_enter(StateIndex state, bool pushes);
  void leave_top(LogRecord::What how);
  void settle();
  void settle_wish();
  bool ended_task();
  void halt_next();
  void judge_exception();
  void misuse(const std::string& what);
  StateIndex wished_state();

  const Table& table_;
  void* object_;
  std::vector<StateIndex> stack_;
  Task task_;  // the running action, if it has been suspended
  const EventType* type_ = nullptr;
  EventBox* raised_box_ = nullptr;  // the event being handled, if it was raised

  Wish wish_ = Wish::none;
  const TypeInfo* wish_state_ = nullptr;
  EventBox* wish_box_ = nullptr;

  StateIndex entering_ = kNoState;  // once the transition's action has ended
  bool may_wish_ = true;            // false in exit actions and in actions of transitions
  bool is_halted_ = false;
};

std::string_view name(Wish wish);

}  // namespace heddle::actor
