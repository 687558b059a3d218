// The declaration of a machine in ordinary C++: its states, and what each state does with each event.
//
// When the first machine of a class is created, its lines are collected as data, checked, and turned into a dense table
// (src/actor/table.hpp). A mistake in a single line does not compile. Two lines that contradict each other are an
// ActorError that names machine, state and event.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <type_traits>
#include <vector>

#include "heddle/actor/event.hpp"
#include "heddle/actor/task.hpp"

namespace heddle {

class Machine;
class Monitor;

/// What an exception handler decides.
enum class OnException : std::uint8_t {
  rethrow,  // the exception is a failure
  handled,  // the action ends here, and the machine goes on
  halt,     // the machine halts
};

namespace actor {

/// A member function of a machine or a monitor, with any signature.
struct Action {
  using Call = Task (*)(const Action& self, void* object, const EventType* type, void* event);
  Call call = nullptr;
  alignas(void*) char function[2 * sizeof(void*)] = {};  // a pointer to member

  explicit operator bool() const { return call != nullptr; }
};

struct ExceptionHandler {
  using Call = OnException (*)(const ExceptionHandler& self, void* object, const std::exception_ptr& exception);
  Call call = nullptr;
  alignas(void*) char function[2 * sizeof(void*)] = {};
};

/// The hash() of a machine that shows its state to strategies that learn.
using HashFunction = std::uint64_t (*)(const void* object);

enum class Does : std::uint8_t { nothing, action, go_to, push, defer, ignore };

/// One line of a state.
struct Line {
  const EventType* event = nullptr;  // null: any event that no other line of the state names
  Does does = Does::nothing;
  const TypeInfo* target = nullptr;  // for go_to and push
  Action action;
};

enum class Heat : std::uint8_t { warm, hot, cold };

struct StateLines {
  const TypeInfo* tag = nullptr;
  std::uint32_t level = 0;  // of the class that declares it: 0 for the machine itself, 1 for the class it extends, …
  bool is_group = false;
  bool is_start = false;
  Heat heat = Heat::warm;
  std::vector<Line> lines;
  std::vector<Action> entry, exit, idle;  // more than one is an error
  std::vector<const TypeInfo*> parents;   // states and groups whose lines it also has
};

/// A declaration as it was written.
struct Declared {
  std::string_view name;
  std::vector<StateLines> states;  // a state may occur more than once
  std::vector<ExceptionHandler> on_exception;
  std::uint32_t level = 0;

  StateLines& state(const TypeInfo& tag, bool is_group);
};

// How an action of any signature is called. C is the class that it is a member of.

template <typename Function>
struct MemberOf;
template <typename R, typename C, typename... As>
struct MemberOf<R (C::*)(As...)> {
  using Class = C;
  using Result = R;
  static constexpr std::size_t kArguments = sizeof...(As);
};
template <typename R, typename C, typename... As>
struct MemberOf<R (C::*)(As...) const> : MemberOf<R (C::*)(As...)> {};
template <typename R, typename C, typename... As>
struct MemberOf<R (C::*)(As...) noexcept> : MemberOf<R (C::*)(As...)> {};
template <typename R, typename C, typename... As>
struct MemberOf<R (C::*)(As...) const noexcept> : MemberOf<R (C::*)(As...)> {};

template <typename Base, typename Function, typename... As>
Task invoke_member(const Action& self, void* object, As&&... arguments) {
  using Member = MemberOf<Function>;
  Function function;
  std::memcpy(&function, self.function, sizeof function);
  auto& target = static_cast<typename Member::Class&>(*static_cast<Base*>(object));
  if constexpr (std::is_void_v<typename Member::Result>) {
    (target.*function)(std::forward<As>(arguments)...);
    return Task();
  } else {
    return (target.*function)(std::forward<As>(arguments)...);
  }
}

template <typename Base, typename Function, typename E>
Task call_action(const Action& self, void* object, const EventType* type, void* event) {
  using Member = MemberOf<Function>;
  if constexpr (Member::kArguments == 0) {
    return invoke_member<Base, Function>(self, object);
  } else if constexpr (std::is_same_v<E, AnyEvent>) {
    return invoke_member<Base, Function>(self, object, AnyEvent(*type, event));
  } else if constexpr (std::is_invocable_v<Function, typename Member::Class&, E&&>) {
    return invoke_member<Base, Function>(self, object, std::move(*static_cast<E*>(event)));
  } else {
    return invoke_member<Base, Function>(self, object, *static_cast<E*>(event));
  }
}

/// A machine may move its event away; a monitor is only shown one.
template <typename Base, typename E>
using EventFor = std::conditional_t<std::is_same_v<Base, Machine>, E, const E>;

/// Base is Machine or Monitor, and `object` points to it. If E is void, there is no event.
template <typename Base, typename E, typename Function>
Action action_of(Function function) {
  static_assert(std::is_member_function_pointer_v<Function>,
                "heddle: an action is a member function of the machine, as in .on<Prepare>(&Replica::prepare)");
  using Member = MemberOf<Function>;
  using C = typename Member::Class;
  using Result = typename Member::Result;
  static_assert(std::is_base_of_v<Base, C>, "heddle: an action must be a member of the machine");
  static_assert(std::is_void_v<Result> || (std::is_same_v<Result, Task> && std::is_same_v<Base, Machine>),
                "heddle: an action returns void, or, of a machine, heddle::Task if it waits");
  if constexpr (std::is_void_v<E>) {
    static_assert(Member::kArguments == 0, "heddle: an entry, exit or idle action takes no argument");
  } else {
    static_assert(Member::kArguments == 0 || (Member::kArguments == 1 && (std::is_invocable_v<Function, C&, E&&> ||
                                                                          std::is_invocable_v<Function, C&, E&>)),
                  "heddle: an action takes nothing or its event: f(), f(const E&), f(E&&); one of on_any takes "
                  "heddle::AnyEvent");
  }
  static_assert(sizeof function <= sizeof Action::function);
  Action action;
  action.call = call_action<Base, Function, E>;
  std::memcpy(action.function, &function, sizeof function);
  return action;
}

template <typename Base, typename Function>
OnException call_exception_handler(const ExceptionHandler& self, void* object, const std::exception_ptr& exception) {
  using C = typename MemberOf<Function>::Class;
  Function function;
  std::memcpy(&function, self.function, sizeof function);
  auto& target = static_cast<C&>(*static_cast<Base*>(object));
  if constexpr (std::is_invocable_v<Function, C&, std::exception_ptr>) {
    return (target.*function)(exception);
  } else {
    try {
      std::rethrow_exception(exception);
    } catch (const std::exception& e) {
      return (target.*function)(e);
    } catch (...) {
      return OnException::rethrow;
    }
  }
}

/// The lines that machines and monitors share. They return Self, so that calls can be chained.
template <typename Base, typename Self>
class CommonLines {
 public:
  explicit CommonLines(StateLines& state) : state_(&state) {}

  /// Makes this the start state. There must be exactly one.
  Self& start() {
    state_->is_start = true;
    return self();
  }
  template <typename F>
  Self& on_entry(F action) {
    state_->entry.push_back(action_of<Base, void>(action));
    return self();
  }
  template <typename F>
  Self& on_exit(F action) {
    static_assert(std::is_void_v<typename MemberOf<F>::Result>, "heddle: an exit action returns void: it cannot wait");
    state_->exit.push_back(action_of<Base, void>(action));
    return self();
  }
  /// On an E: runs the action, and stays in this state unless the action leaves it.
  template <typename E, typename F>
  Self& on(F action) {
    check_event<E>();
    return add({&event_type<E>, Does::action, nullptr, action_of<Base, EventFor<Base, E>>(action)});
  }
  /// On an E: leaves this state, runs the action if there is one, enters S.
  template <typename S, typename E>
  Self& go_to() {
    check_event<E>();
    return add({&event_type<E>, Does::go_to, &type_info<S>, {}});
  }
  template <typename S, typename E, typename F>
  Self& go_to(F action) {
    check_event<E>();
    return add({&event_type<E>, Does::go_to, &type_info<S>, action_of<Base, EventFor<Base, E>>(action)});
  }
  /// Takes these events and does nothing.
  template <typename... Es>
  Self& ignore() {
    static_assert(sizeof...(Es) > 0);
    (check_event<Es>(), ...);
    (add({&event_type<Es>, Does::ignore, nullptr, {}}), ...);
    return self();
  }
  /// On any event that no other line of the state names.
  template <typename F>
  Self& on_any(F action) {
    return add({nullptr, Does::action, nullptr, action_of<Base, AnyEvent>(action)});
  }
  Self& ignore_any() { return add({nullptr, Does::ignore, nullptr, {}}); }
  /// Also has the lines of S; its own lines win.
  template <typename S>
  Self& extends() {
    state_->parents.push_back(&type_info<S>);
    return self();
  }
  /// The same for a group.
  template <typename G>
  Self& in() {
    return extends<G>();
  }

 protected:
  Self& self() { return static_cast<Self&>(*this); }
  Self& add(Line line) {
    state_->lines.push_back(line);
    return self();
  }
  StateLines* state_;
};

}  // namespace actor

/// The lines of one state of a machine, or of a group of states.
class StateOfMachine : public actor::CommonLines<Machine, StateOfMachine> {
 public:
  using CommonLines::CommonLines;

  /// On an E: puts S on top of this state, whose actions, defers and ignores still hold.
  template <typename S, typename E>
  StateOfMachine& push() {
    actor::check_event<E>();
    return add({&actor::event_type<E>, actor::Does::push, &actor::type_info<S>, {}});
  }
  /// Leaves these events in the inbox while in this state.
  template <typename... Es>
  StateOfMachine& defer() {
    static_assert(sizeof...(Es) > 0);
    (actor::check_event<Es>(), ...);
    (add({&actor::event_type<Es>, actor::Does::defer, nullptr, {}}), ...);
    return *this;
  }
  StateOfMachine& defer_any() { return add({nullptr, actor::Does::defer, nullptr, {}}); }
  /// Runs the action when the inbox has nothing to take: once, until an event is taken or the state changes.
  template <typename F>
  StateOfMachine& on_idle(F action) {
    state_->idle.push_back(actor::action_of<Machine, void>(action));
    return *this;
  }
};

template <typename M>
class Declaration {
 public:
  explicit Declaration(actor::Declared& declared) : declared_(declared) {}

  template <typename S>
  StateOfMachine state() {
    return StateOfMachine(declared_.state(actor::type_info<S>, false));
  }
  /// Lines that several states share: the states that call .in<G>().
  template <typename G>
  StateOfMachine group() {
    return StateOfMachine(declared_.state(actor::type_info<G>, true));
  }
  /// Takes over everything that Base declares. For the same state and event, the line of this class wins.
  template <typename Base>
  void extends() {
    static_assert(std::is_base_of_v<Base, M> && !std::is_same_v<Base, M>,
                  "heddle: a machine extends a class that it is derived from");
    ++declared_.level;
    Declaration<Base> base(declared_);
    Base::declare(base);
    --declared_.level;
  }
  /// The handler is OnException f(const std::exception&), or f(std::exception_ptr).
  template <typename C, typename E>
  void on_exception(OnException (C::*function)(E)) {
    using Function = OnException (C::*)(E);
    static_assert(std::is_base_of_v<Machine, C> && std::is_base_of_v<C, M>);
    static_assert(std::is_invocable_v<Function, C&, std::exception_ptr> ||
                      std::is_invocable_v<Function, C&, const std::exception&>,
                  "heddle: a handler of exceptions takes const std::exception& or std::exception_ptr");
    actor::ExceptionHandler handler;
    handler.call = actor::call_exception_handler<Machine, Function>;
    std::memcpy(handler.function, &function, sizeof function);
    declared_.on_exception.push_back(handler);
  }

 private:
  actor::Declared& declared_;
};

}  // namespace heddle
