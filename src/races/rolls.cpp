#include "races/rolls.hpp"

namespace heddle::races {

std::uint32_t Rolls::make(OperationId highest) {
  std::uint32_t number = unused_rolls_;
  if (number != 0) {
    unused_rolls_ = (*this)[number].table;
  } else {
    rolls_.append();
    number = static_cast<std::uint32_t>(rolls_.size());
  }
  const std::uint32_t capacity = capacity_for(highest);
  Roll& roll = (*this)[number];
  roll = {};
  roll.capacity = capacity;
  roll.table = take_table(capacity);
  return number;
}

void Rolls::release(std::uint32_t number) {
  Roll& roll = (*this)[number];
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    if (roll.first[kind] == 0) continue;
    entry(roll.last[kind]).next = unused_entries_;
    unused_entries_ = roll.first[kind];
  }
  give_back_table(roll.table, roll.capacity);
  roll.table = unused_rolls_;
  unused_rolls_ = number;
}

void Rolls::append(std::uint32_t number, model::Epoch when, std::uint32_t site, std::uint8_t mask, AccessKind kind) {
  const OperationId who = model::operation_of(when);
  std::uint32_t at = unused_entries_;
  if (at != 0) {
    unused_entries_ = entry(at).next;
  } else {
    entries_.append();
    at = static_cast<std::uint32_t>(entries_.size());
  }
  Roll& roll = (*this)[number];
  if (index(who) >= roll.capacity) grow(roll, who);
  note(roll, who);
  std::uint32_t& latest = latest_[roll.table + index(who)];
  std::uint32_t& last = roll.last[number_of(kind)];
  entry(at) = {when, site, 0, last, latest, roll.next_order++, mask, kind};
  (last != 0 ? entry(last).next : roll.first[number_of(kind)]) = at;
  latest = last = at;
  ++roll.size;
}

void Rolls::remove(Roll& roll, std::uint32_t at) {
  Entry& gone = entry(at);
  const std::size_t kind = number_of(gone.kind);
  (gone.previous != 0 ? entry(gone.previous).next : roll.first[kind]) = gone.next;
  (gone.next != 0 ? entry(gone.next).previous : roll.last[kind]) = gone.previous;
  std::uint32_t* link = &latest_[roll.table + index(model::operation_of(gone.when))];
  while (*link != at) link = &entry(*link).earlier;
  *link = gone.earlier;
  gone.next = unused_entries_;
  unused_entries_ = at;
  --roll.size;
}

std::uint32_t Rolls::take_table(std::uint32_t capacity) {
  std::uint32_t& unused = unused_tables_[class_of(capacity)];
  std::uint32_t table = unused;  // index + 1
  if (table == 0) {
    table = static_cast<std::uint32_t>(latest_.size()) + 1;
    latest_.resize(latest_.size() + capacity);
  } else {
    unused = latest_[table - 1];
    std::fill_n(latest_.data() + table - 1, capacity, 0u);
  }
  return table - 1;
}

void Rolls::give_back_table(std::uint32_t table, std::uint32_t capacity) {
  std::uint32_t& unused = unused_tables_[class_of(capacity)];
  latest_[table] = unused;
  unused = table + 1;
}

void Rolls::grow(Roll& roll, OperationId highest) {
  const std::uint32_t capacity = capacity_for(highest);
  const std::uint32_t table = take_table(capacity);
  std::copy_n(latest_.data() + roll.table, roll.capacity, latest_.data() + table);
  give_back_table(roll.table, roll.capacity);
  roll.table = table;
  roll.capacity = capacity;
}

}  // namespace heddle::races
