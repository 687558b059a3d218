#include "heddle/actor/coverage.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string_view>
#include <tuple>

#include "actor/core.hpp"
#include "actor/show/dot.hpp"
#include "actor/table.hpp"

namespace heddle {

using actor::Does;
using actor::Table;

namespace {

/// Does the state declare what it does with the event?
bool is_declared(const Table& table, actor::StateIndex state, const actor::EventType& event) {
  const Does does = table.cell(state, event).does;
  return does != Does::nothing && does != Does::defer;
}

std::string row(std::string_view machine, std::string_view state, std::string_view event, std::string_view times) {
  char text[300];
  std::snprintf(text, sizeof text, "%-20.*s %-20.*s %-24.*s %10.*s\n", static_cast<int>(machine.size()), machine.data(),
                static_cast<int>(state.size()), state.data(), static_cast<int>(event.size()), event.data(),
                static_cast<int>(times.size()), times.data());
  return text;
}

}  // namespace

struct Coverage::Seen {
  using Pair = std::pair<std::string_view, std::string_view>;                    // state, event
  using Way = std::tuple<std::string_view, std::string_view, std::string_view>;  // from, event, to
  struct OfMachine {
    const Table* table = nullptr;
    std::map<std::string_view, std::uint64_t> states;
    std::map<Pair, std::uint64_t> pairs;
    std::map<Way, std::uint64_t> ways;
  };
  struct Last {
    std::string_view state;
    std::string_view event;
  };

  /// Not a mutex: under test that would be a scheduling point.
  class Guard {
   public:
    explicit Guard(std::atomic_flag& flag) : flag_(flag) {
      while (flag_.test_and_set(std::memory_order_acquire)) flag_.wait(true);
    }
    ~Guard() {
      flag_.clear(std::memory_order_release);
      flag_.notify_one();
    }

   private:
    std::atomic_flag& flag_;
  };

  void see(const LogRecord& record) {
    if (record.what == LogRecord::What::dropped) return;  // the machine may be gone
    actor::MachineCore* const core = actor::MachineCore::of(record.machine);
    if (core == nullptr) return;
    OfMachine& machine = machines[std::string(core->table().name())];
    machine.table = &core->table();
    Last& last = lasts[core];
    switch (record.what) {
      case LogRecord::What::created:
        last = {};
        break;
      case LogRecord::What::taken:
      case LogRecord::What::received:
      case LogRecord::What::ignored:
      case LogRecord::What::raised:
        ++machine.pairs[{record.state, record.event}];
        last.event = record.event;
        break;
      case LogRecord::What::entered:
      case LogRecord::What::pushed:
        ++machine.states[record.state];
        if (!last.state.empty()) ++machine.ways[{last.state, last.event, record.state}];
        last.state = record.state;
        break;
      case LogRecord::What::popped:
        last.state = {};
        break;
      case LogRecord::What::halted:
        lasts.erase(core);
        break;
      default:
        break;
    }
  }

  template <typename Visit>
  void for_each_pair(const Visit& visit) const {
    for (const auto& [name, machine] : machines) {
      const Table& table = *machine.table;
      for (actor::StateIndex state = 0; state < table.state_count(); ++state)
        for (const actor::EventType* event : table.events()) {
          if (!is_declared(table, state, *event)) continue;
          const auto found = machine.pairs.find({table.state_name(state), event->name});
          visit(name, table.state_name(state), event->name, found != machine.pairs.end() ? found->second : 0);
        }
    }
  }

  mutable std::atomic_flag busy = ATOMIC_FLAG_INIT;
  std::map<std::string, OfMachine> machines;
  std::map<const actor::MachineCore*, Last> lasts;
};

Coverage::Coverage() : seen_(std::make_unique<Seen>()) {}
Coverage::~Coverage() = default;

void Coverage::operator()(const LogRecord& record) {
  const Seen::Guard guard(seen_->busy);
  seen_->see(record);
}

std::size_t Coverage::pairs_declared() const {
  std::size_t count = 0;
  seen_->for_each_pair([&](auto&&...) { ++count; });
  return count;
}

std::size_t Coverage::pairs_seen() const {
  std::size_t count = 0;
  seen_->for_each_pair([&](auto&&, auto&&, auto&&, std::uint64_t times) { count += times > 0; });
  return count;
}

std::size_t Coverage::states_declared() const {
  std::size_t count = 0;
  for (const auto& [name, machine] : seen_->machines) count += machine.table->state_count();
  return count;
}

std::size_t Coverage::states_seen() const {
  std::size_t count = 0;
  for (const auto& [name, machine] : seen_->machines) count += machine.states.size();
  return count;
}

std::string Coverage::table() const {
  std::string out = row("machine", "state", "event", "handled");
  std::string missing;
  seen_->for_each_pair(
      [&](std::string_view machine, std::string_view state, std::string_view event, std::uint64_t times) {
        if (times > 0)
          out += row(machine, state, event, std::to_string(times));
        else
          missing += row(machine, state, event, "never");
      });
  for (const auto& [name, machine] : seen_->machines)
    for (actor::StateIndex i = 0; i < machine.table->state_count(); ++i)
      if (!machine.states.contains(machine.table->state_name(i)))
        missing += row(name, machine.table->state_name(i), "", "not entered");
  char sum[120];
  std::snprintf(sum, sizeof sum, "%zu of %zu pairs of state and event, %zu of %zu states\n", pairs_seen(),
                pairs_declared(), states_seen(), states_declared());
  return out + missing + sum;
}

std::string Coverage::dot() const {
  using actor::dot_quoted;
  std::string out = "digraph coverage {\n  node [shape=box, style=rounded];\n";
  for (const auto& [name, machine] : seen_->machines) {
    const Table& table = *machine.table;
    const auto node = [&of = name](std::string_view state) { return dot_quoted(of + "." + std::string(state)); };
    out += "  subgraph " + dot_quoted("cluster_" + name) + " {\n    label=" + dot_quoted(name) + ";\n";
    for (actor::StateIndex i = 0; i < table.state_count(); ++i) {
      const auto found = machine.states.find(table.state_name(i));
      const std::uint64_t times = found != machine.states.end() ? found->second : 0;
      out += "    " + node(table.state_name(i)) +
             " [label=" + dot_quoted(std::string(table.state_name(i)) + "\n" + std::to_string(times)) +
             (times == 0 ? ", style=\"rounded,dashed\"" : "") + "];\n";
    }
    for (const auto& [way, times] : machine.ways)
      out += "    " + node(std::get<0>(way)) + " -> " + node(std::get<2>(way)) +
             " [label=" + dot_quoted(std::string(std::get<1>(way)) + " " + std::to_string(times)) + "];\n";
    for (actor::StateIndex i = 0; i < table.state_count(); ++i)
      for (const actor::EventType* event : table.events()) {
        const actor::Cell& cell = table.cell(i, *event);
        if ((cell.does != Does::go_to && cell.does != Does::push) ||
            machine.pairs.contains({table.state_name(i), event->name}))
          continue;
        out += "    " + node(table.state_name(i)) + " -> " + node(table.state_name(cell.target)) +
               " [label=" + dot_quoted(event->name) + ", style=dashed];\n";
      }
    out += "  }\n";
  }
  return out + "}\n";
}

}  // namespace heddle
