#include "actor/table.hpp"

#include <algorithm>

#include "actor/declared.hpp"
#include "heddle/actor/machine.hpp"
#include "heddle/actor/monitor.hpp"

namespace heddle::actor {
namespace {

std::uint32_t number(TypeInfo& type) {
  static std::atomic<std::uint32_t> last{0};
  std::uint32_t known = type.number.load(std::memory_order_relaxed);
  if (known != 0) return known;
  const std::uint32_t mine = ++last;
  return type.number.compare_exchange_strong(known, mine) ? mine : known;
}

std::uint32_t number(const TypeInfo& type) { return number(const_cast<TypeInfo&>(type)); }

template <typename T>
void put(std::vector<T>& at, std::uint32_t index, T value, T none) {
  if (at.size() <= index) at.resize(index + 1, none);
  at[index] = value;
}

}  // namespace

Table::Table(Declared declared, HashFunction function) : name_(declared.name), hash_(function) {
  const std::vector<ResolvedState> resolved = resolve(declared);
  if (!declared.on_exception.empty()) on_exception_ = declared.on_exception.front();
  for (const ResolvedState& state : resolved) {
    const auto index = static_cast<StateIndex>(states_.size());
    if (state.is_start) start_ = index;
    states_.push_back({state.tag, state.entry, state.exit, state.idle, state.heat});
    put(state_of_, number(*state.tag), index, kNoState);
    for (const Line& line : state.lines)
      if (line.event != nullptr) add_column(*line.event);
  }
  cells_.resize(states_.size() * columns_);
  for (StateIndex index = 0; index < states_.size(); ++index) {
    Cell* const row = &cells_[index * columns_];
    const auto cell_of = [&](const Line& line) {
      Cell cell;
      cell.does = line.does;
      if (line.target != nullptr) cell.target = find(*line.target);
      if (line.action) cell.action = &actions_.emplace_back(line.action);
      return cell;
    };
    for (const Line& line : resolved[index].lines)
      if (line.event == nullptr) std::fill(row, row + columns_, cell_of(line));
    for (const Line& line : resolved[index].lines)
      if (line.event != nullptr) row[column(*line.event)] = cell_of(line);
  }
}

void Table::add_column(const EventType& event) {
  const std::uint32_t index = number(event);
  if (index < column_of_.size() && column_of_[index] != 0) return;
  put(column_of_, index, static_cast<std::uint16_t>(columns_++), std::uint16_t{0});
  events_.push_back(&event);
}

StateIndex Table::find(const TypeInfo& tag) const {
  const std::uint32_t index = tag.number.load(std::memory_order_relaxed);
  return index != 0 && index < state_of_.size() ? state_of_[index] : kNoState;
}

// Tables live as long as the process, because machine ids refer to them.
const Table& make_table(Declared declared, HashFunction hash) { return *new Table(std::move(declared), hash); }

const Table& make_monitor_table(Declared declared) { return *new Table(std::move(declared), nullptr); }

}  // namespace heddle::actor
