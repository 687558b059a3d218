#include "actor/interpreter.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace heddle::actor {
namespace {

constexpr Cell kNothing;

std::string described(const std::exception_ptr& exception) {
  const std::type_info* const type = abi::__cxa_current_exception_type();
  std::string name = "an exception";
  if (type != nullptr) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(type->name(), nullptr, nullptr, &status),
                                                           &std::free);
    name = text != nullptr ? text.get() : type->name();
  }
  try {
    std::rethrow_exception(exception);
  } catch (const std::exception& e) {
    return name + ": " + e.what();
  } catch (...) {
    return name;
  }
}

}  // namespace

std::string_view name(Wish wish) {
  switch (wish) {
    case Wish::none:
      return "nothing";
    case Wish::raise:
      return "raise";
    case Wish::go_to:
      return "go_to";
    case Wish::push:
      return "push";
    case Wish::pop:
      return "pop";
    case Wish::halt:
      return "halt";
  }
  return "";
}

void Interpreter::wish(Wish what, const TypeInfo* state, EventBox* box) {
  if (wish_ != Wish::none || !may_wish_ || is_halted_) {
    if (box != nullptr) release(box);
    if (is_halted_) return misuse("calls " + std::string(name(what)) + " when it has halted");
    if (!may_wish_)
      return misuse("calls " + std::string(name(what)) +
                    " in an exit action or in that of a transition; what comes "
                    "next is settled there");
    return misuse("calls " + std::string(name(what)) + " after " + std::string(name(wish_)) +
                  " in one action; an action may call one of them");
  }
  wish_ = what;
  wish_state_ = state;
  wish_box_ = box;
}

const Cell& Interpreter::inherited(const EventType& type) const {
  for (std::size_t below = stack_.size() - 1; below-- > 0;) {
    const Cell& cell = table_.cell(stack_[below], type);
    if (cell.does == Does::nothing) continue;
    return cell.does == Does::go_to || cell.does == Does::push ? kNothing : cell;
  }
  return kNothing;
}

void Interpreter::enter_start() {
  begin_enter(table_.start(), true);
  settle();
}

void Interpreter::handle(const EventType& type, void* value) {
  dispatch(type, value);
  settle();
}

void Interpreter::run_idle() {
  run(table_.state(top()).idle, nullptr, nullptr);
  settle();
}

void Interpreter::resume(std::coroutine_handle<> suspended) {
  suspended.resume();
  if (!ended_task()) return;
  settle();
}

void Interpreter::dispatch(const EventType& type, void* value) {
  type_ = &type;
  for (;;) {
    const Cell& cell = cell_for(type);
    switch (cell.does) {
      case Does::ignore:
        return;
      case Does::action:
        run(*cell.action, &type, value);
        return;
      case Does::push:
        return begin_enter(cell.target, true);
      case Does::go_to:
        leave_top(LogRecord::What::entered);
        entering_ = cell.target;
        if (cell.action != nullptr && wish_ == Wish::none) {
          may_wish_ = false;
          run(*cell.action, &type, value);
        }
        return;
      case Does::nothing:
      case Does::defer:  // the event was raised
        if (stack_.size() == 1) {
          failed(FailureKind::unhandled_event, "gets " + std::string(type.name) + ", which " +
                                                   std::string(state_name()) + " neither handles, defers nor ignores");
          wish_ = Wish::halt;
          return;
        }
        leave_top(LogRecord::What::popped);
        if (wish_ != Wish::none) return;  // the exit action failed
        break;
    }
  }
}

/// False: the action is a task that waits.
bool Interpreter::run(const Action& action, const EventType* type, void* value) {
  try {
    task_ = action.call(action, object_, type, value);
    if (task_) task_.resume();
  } catch (const Abandoned&) {
    halt_next();
    return true;
  } catch (...) {
    judge_exception();
    return true;
  }
  return !task_ || ended_task();
}

bool Interpreter::ended_task() {
  if (!task_.is_done()) return false;
  try {
    const Task done = std::exchange(task_, Task());
    const_cast<Task&>(done).rethrow();
  } catch (const Abandoned&) {
    halt_next();
  } catch (...) {
    judge_exception();
  }
  return true;
}

void Interpreter::judge_exception() {
  const std::exception_ptr exception = std::current_exception();
  const std::string what = described(exception);
  threw(what);
  OnException judgement = OnException::rethrow;
  try {
    if (table_.on_exception().call != nullptr)
      judgement = table_.on_exception().call(table_.on_exception(), object_, exception);
  } catch (const Abandoned&) {
    return halt_next();
  } catch (...) {
    failed(FailureKind::exception, "judges " + what + " and throws " + described(std::current_exception()));
    return halt_next();
  }
  if (judgement == OnException::rethrow)
    failed(FailureKind::exception,
           (type_ != nullptr ? "on " + std::string(type_->name) + " throws " : "throws ") + what);
  if (judgement != OnException::handled) halt_next();
}

void Interpreter::halt_next() {
  if (wish_box_ != nullptr) release(std::exchange(wish_box_, nullptr));
  entering_ = kNoState;
  wish_ = Wish::halt;
}

void Interpreter::begin_enter(StateIndex state, bool pushes) {
  if (pushes)
    stack_.push_back(state);
  else
    stack_.back() = state;
  changed(pushes && stack_.size() > 1 ? LogRecord::What::pushed : LogRecord::What::entered, state);
  const Action& entry = table_.state(state).entry;
  if (entry) run(entry, type_, nullptr);
}

/// `entered`: another state replaces it.
void Interpreter::leave_top(LogRecord::What how) {
  const StateIndex left = top();
  const Action& exit = table_.state(left).exit;
  if (exit) {
    may_wish_ = false;
    run(exit, type_, nullptr);
    may_wish_ = true;
  }
  if (how != LogRecord::What::popped) return;
  stack_.pop_back();
  changed(LogRecord::What::popped, left);
}

// Carries out pending requests until none is left, or a task waits.
void Interpreter::settle() {
  while (!is_suspended() && !is_halted_) {
    may_wish_ = true;
    if (entering_ != kNoState && wish_ != Wish::halt) {
      begin_enter(std::exchange(entering_, kNoState), false);
    } else if (wish_ != Wish::none) {
      settle_wish();
    } else {
      break;
    }
  }
  if (is_suspended()) return;
  if (raised_box_ != nullptr) release(std::exchange(raised_box_, nullptr));
  type_ = nullptr;
  handled();
  if (is_halted_) halted();
}

void Interpreter::settle_wish() {
  switch (std::exchange(wish_, Wish::none)) {
    case Wish::none:
      return;
    case Wish::raise: {
      EventBox* const last = std::exchange(raised_box_, std::exchange(wish_box_, nullptr));
      if (last != nullptr) release(last);
      raised(*raised_box_->type);
      return dispatch(*raised_box_->type, raised_box_->value());
    }
    case Wish::go_to:
      if (const StateIndex state = wished_state(); state != kNoState) {
        leave_top(LogRecord::What::entered);
        if (wish_ == Wish::none) begin_enter(state, false);
      }
      return;
    case Wish::push:
      if (const StateIndex state = wished_state(); state != kNoState) begin_enter(state, true);
      return;
    case Wish::pop:
      if (stack_.size() == 1) return misuse("pops its last state; nothing was pushed");
      return leave_top(LogRecord::What::popped);
    case Wish::halt:
      is_halted_ = true;
      return;
  }
}

StateIndex Interpreter::wished_state() {
  const StateIndex state = table_.find(*wish_state_);
  if (state == kNoState)
    misuse("wants to go to `" + std::string(wish_state_->name) + "`, which it does not declare as a state");
  return state;
}

void Interpreter::misuse(const std::string& what) {
  failed(FailureKind::misuse, what);
  halt_next();
}

}  // namespace heddle::actor
