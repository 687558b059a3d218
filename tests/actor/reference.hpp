// Machines as data, and a simple interpreter of their rules to compare with: rule by rule, without a table, a thread or
// anything of heddle. SEND appends to the queue of another; RECEIVE takes the first event that the state is willing to
// handle (P#, Figure 4); the rest are the rules of pushed states, wishes and idleness of docs/actors.md.
//
// An action is a list of sends and one wish. Nothing but the moment at which an event is taken depends on the others,
// so all that follows from it is written down at once, as records, and then played one by one in the order of a real
// execution: whoever made the real record plays the next one here, and the two must be the same.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace reference {

struct Send {
  int machine, event;
};
enum class WishKind { none, raise, go_to, push, pop, halt };
struct Program {  // an action
  std::vector<Send> sends;
  WishKind wish = WishKind::none;
  int argument = 0;  // an event or a state
};

enum class LineKind { none, action, go_to, push, defer, ignore };
struct Line {
  LineKind kind = LineKind::none;
  int target = 0;
  std::optional<Program> program;
};

struct State {
  std::vector<Line> lines;  // one an event
  Line any;                 // action, defer or ignore
  std::optional<Program> entry, exit, idle;
  int extends = -1;  // a state with a smaller number
};

struct Spec {
  std::vector<State> states;  // the first is the start
  int fuel = 0;               // actions that do something
};

/// What happened, in the words of heddle::LogRecord.
struct Record {
  std::string what;
  int machine = 0;
  std::string state, event;
  int other = 0;
  bool operator==(const Record&) const = default;
};

class Machine {
 public:
  Machine(const Spec& spec, int number) : spec_(spec), number_(number), fuel_(spec.fuel) {
    enter(0, true);
    settle();
  }

  /// Plays the next record of this machine, if there is one for it to make.
  std::optional<Record> play(std::vector<Machine>& all) {
    if (coming_.empty() && !is_halted_) take();
    if (coming_.empty()) return std::nullopt;
    const Record record = std::exchange(coming_.front(), {});
    coming_.pop_front();
    if (record.what == "sent") all[record.other - 1].receive(record.event);
    if (record.what == "halted") is_halted_ = true;
    return record;
  }
  /// SEND, its half.
  void receive(const std::string& event) {
    if (!is_halted_) queue_.push_back(event_number(event));
  }
  /// Has it got an event that no line is about, and is that the next thing to come?
  bool is_unhandled() const { return unhandled_ && coming_.empty(); }
  bool is_idle() {
    if (coming_.empty() && !is_halted_) take();
    return coming_.empty();
  }

  static std::string state_name(int state) { return "S<" + std::to_string(state) + ">"; }
  static std::string event_name(int event) { return "E<" + std::to_string(event) + ">"; }

 private:
  static int event_number(const std::string& name) { return std::stoi(name.substr(2)); }

  Line line(int state, int event) const {
    for (int s = state; s >= 0; s = spec_.states[s].extends)
      if (spec_.states[s].lines[event].kind != LineKind::none) return spec_.states[s].lines[event];
    for (int s = state; s >= 0; s = spec_.states[s].extends)
      if (spec_.states[s].any.kind != LineKind::none) return spec_.states[s].any;
    return {};
  }
  std::optional<Program> of(int state, std::optional<Program> State::*which) const {
    for (int s = state; s >= 0; s = spec_.states[s].extends)
      if (spec_.states[s].*which) return spec_.states[s].*which;
    return std::nullopt;
  }
  Line taken_by(int event) const {
    const Line top = line(stack_.back(), event);
    if (top.kind != LineKind::none) return top;
    for (std::size_t i = stack_.size() - 1; i-- > 0;) {
      const Line below = line(stack_[i], event);
      if (below.kind == LineKind::none) continue;
      return below.kind == LineKind::go_to || below.kind == LineKind::push ? Line{} : below;
    }
    return {};
  }

  void note(const std::string& what, const std::string& event = {}, int other = 0) {
    coming_.push_back({what, number_, state_name(stack_.back()), event, other});
  }

  // RECEIVE: the first event that the state is willing to handle.
  void take() {
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      const int event = queue_[i];
      const Line how = taken_by(event);
      if (how.kind == LineKind::defer) continue;
      queue_.erase(queue_.begin() + static_cast<std::ptrdiff_t>(i));
      if (how.kind == LineKind::ignore) return note("ignored", event_name(event));
      was_idle_ = false;
      note("taken", event_name(event));
      handle(event);
      return settle();
    }
    const std::optional<Program> idle = of(stack_.back(), &State::idle);
    if (was_idle_ || !idle) return;
    was_idle_ = true;
    note("idle");
    run(idle, true);
    settle();
  }

  void handle(int event) {
    for (;;) {
      const Line how = taken_by(event);
      switch (how.kind) {
        case LineKind::ignore:
          return;
        case LineKind::action:
          return run(how.program, true);
        case LineKind::push:
          return enter(how.target, true);
        case LineKind::go_to:
          run(of(stack_.back(), &State::exit), false);
          run(how.program, false);
          return enter(how.target, false);
        case LineKind::none:
        case LineKind::defer:
          if (stack_.size() == 1) {
            unhandled_ = true;
            return;
          }
          pop();
      }
    }
  }

  void enter(int state, bool pushes) {
    if (!pushes) stack_.pop_back();
    stack_.push_back(state);
    was_idle_ = false;
    note(pushes && stack_.size() > 1 ? "pushed" : "entered");
    run(of(state, &State::entry), true);
  }

  void pop() {
    run(of(stack_.back(), &State::exit), false);
    note("popped");
    stack_.pop_back();
    was_idle_ = false;
  }

  void run(const std::optional<Program>& program, bool may_wish) {
    if (!program || fuel_ == 0) return;
    --fuel_;
    for (const Send& send : program->sends) note("sent", event_name(send.event), send.machine);
    if (may_wish) wish_ = {program->wish, program->argument};
  }

  void settle() {
    while (wish_.first != WishKind::none && !unhandled_) {
      const auto [kind, argument] = std::exchange(wish_, {WishKind::none, 0});
      if (kind == WishKind::raise) {
        note("raised", event_name(argument));
        handle(argument);
      } else if (kind == WishKind::go_to) {
        run(of(stack_.back(), &State::exit), false);
        enter(argument, false);
      } else if (kind == WishKind::push) {
        enter(argument, true);
      } else if (kind == WishKind::pop && stack_.size() > 1) {
        pop();
      } else if (kind == WishKind::halt) {
        note("halted");
        return;
      }
    }
  }

  const Spec& spec_;
  const int number_;
  int fuel_;
  std::vector<int> stack_;
  std::deque<int> queue_;
  std::deque<Record> coming_;
  std::pair<WishKind, int> wish_{WishKind::none, 0};
  bool was_idle_ = false;
  bool is_halted_ = false;
  bool unhandled_ = false;
};

}  // namespace reference
