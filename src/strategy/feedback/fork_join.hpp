// What the making and joining of operations orders, whatever the schedule: for strategies that predict.
//
// A row says of every operation up to which step it is known to have come. An operation has a row when it begins, that
// of its maker as of when it was made, and another after each join. Steps are counted through the whole execution. Rows
// are kept, so that an access of long ago can be asked what it knew: `row` is a small number.
//
// Costs nothing but a comparison for a step that neither makes nor joins, and a copied row for one that does. Only the
// first 64 operations and 256 rows of an execution are known; what goes beyond is ordered with nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/page_vector.hpp"
#include "strategy/strategy.hpp"

namespace heddle::strategy {

class ForkJoin {
 public:
  using Row = std::uint32_t;

  void begin() {
    rows_.clear();
    rows_.resize(1);  // that of whoever knows nothing
    operations_.clear();
  }

  /// `who` takes its step, the `now`th; the first is 1.
  void step(const ScheduleView& view, OperationId who, std::uint32_t now) {
    // One that was just made stands before its first step, so it is met before its maker goes on.
    const std::uint32_t highest = index(view.enabled.back()) > index(who) ? index(view.enabled.back()) : index(who);
    while (operations_.size() <= highest) [[unlikely]] meet(view);
    const model::Event& event = view.next(who);
    if (event.kind == model::EventKind::create)
      operations_[index(who)].made_at = now;
    else if (event.kind == model::EventKind::join && event.resource != kNoResource)
      join(who, view.resource(event.resource).lifetime.of(), now);
  }

  Row row(OperationId who) const { return index(who) < operations_.size() ? operations_[index(who)].row : kNothing; }

  /// Did whoever has this row know that `other` had taken this step?
  bool knows(Row row, OperationId other, std::uint32_t step) const {
    return index(other) < kOperations && rows_[row][index(other)] >= step;
  }

 private:
  static constexpr Row kNothing = 0;
  static constexpr std::size_t kOperations = 64;
  static constexpr std::size_t kRows = 256;

  struct Operation {
    Row row = kNothing;
    std::uint32_t made_at = 0;  // the last step with which it made another
  };

  void meet(const ScheduleView& view) {
    Operation made;
    const OperationId parent = view.parent(OperationId{static_cast<std::uint32_t>(operations_.size())});
    if (index(parent) < operations_.size()) {
      const Operation& maker = operations_[index(parent)];
      made.row = copy(maker.row);
      learn(made.row, parent, maker.made_at);
    }
    operations_.push_back(made);
  }

  void join(OperationId who, OperationId ended, std::uint32_t now) {
    if (index(ended) >= operations_.size()) return;
    const Row mine = copy(operations_[index(who)].row);
    if (mine != kNothing)
      for (std::size_t i = 0; i < kOperations; ++i) {
        const std::uint32_t known = rows_[operations_[index(ended)].row][i];
        if (rows_[mine][i] < known) rows_[mine][i] = known;
      }
    learn(mine, ended, now);
    operations_[index(who)].row = mine;
  }

  Row copy(Row from) {
    if (rows_.size() == kRows) return kNothing;
    const auto made = static_cast<Row>(rows_.size());
    rows_.resize(made + 1);
    rows_[made] = rows_[from];
    return made;
  }

  void learn(Row row, OperationId of, std::uint32_t step) {
    if (row != kNothing && index(of) < kOperations && rows_[row][index(of)] < step) rows_[row][index(of)] = step;
  }

  CommonVector<std::array<std::uint32_t, kOperations>> rows_;
  CommonVector<Operation> operations_;  // indexed by operation
};

}  // namespace heddle::strategy
