// A checked declaration in dense form: looking up what a state does on an event is one array access.
//
// Each event gets a column, in the order in which events are mentioned; column 0 stands for all events that no line of
// the machine names. A cell holds the state's own line, else an inherited one, else the wildcard's.
#pragma once

#include <cstdint>
#include <deque>
#include <string_view>
#include <vector>

#include "heddle/actor/declaration.hpp"

namespace heddle::actor {

using StateIndex = std::uint16_t;
inline constexpr StateIndex kNoState = 0xffff;

struct Cell {
  const Action* action = nullptr;
  StateIndex target = kNoState;
  Does does = Does::nothing;
};

struct State {
  const TypeInfo* tag = nullptr;
  Action entry, exit, idle;
  Heat heat = Heat::warm;
};

class Table {
 public:
  /// Throws ActorError.
  Table(Declared declared, HashFunction function);

  const std::string_view& name() const { return name_; }
  StateIndex start() const { return start_; }
  const State& state(StateIndex index) const { return states_[index]; }
  std::string_view state_name(StateIndex index) const { return states_[index].tag->name; }
  std::size_t state_count() const { return states_.size(); }
  /// kNoState: the machine has no such state.
  StateIndex find(const TypeInfo& tag) const;
  const Cell& cell(StateIndex state, const EventType& event) const { return cells_[state * columns_ + column(event)]; }
  const ExceptionHandler& on_exception() const { return on_exception_; }
  /// Null: the machine has no hash function.
  HashFunction hash() const { return hash_; }
  /// The events that some line names, in the order of their columns.
  const std::vector<const EventType*>& events() const { return events_; }

 private:
  std::uint32_t column(const EventType& event) const {
    const std::uint32_t number = event.number.load(std::memory_order_relaxed);
    return number < column_of_.size() ? column_of_[number] : 0;
  }
  void add_column(const EventType& event);

  std::string_view name_;
  std::vector<State> states_;
  std::vector<std::uint16_t> state_of_;   // indexed by the number of a tag
  std::vector<std::uint16_t> column_of_;  // indexed by the number of an event; 0: none
  std::vector<const EventType*> events_;
  std::vector<Cell> cells_;
  std::deque<Action> actions_;  // that cells point to
  std::uint32_t columns_ = 1;
  StateIndex start_ = kNoState;
  ExceptionHandler on_exception_;
  HashFunction hash_;
};

}  // namespace heddle::actor
