// Assigns a number to each class of executions that differ only in an order of steps that no operation can observe.
//
// Two executions are in one class if they have the same steps and order dependent steps alike, where dependence is by
// what the steps really touched (Mazurkiewicz traces over model/footprint.hpp). The hash of a step is made of the hash
// of the previous step of its operation and of what it finds at each thing that it touches. That is the hash of the
// last step that changed the thing and, if this step changes it too, the sum over the steps that have looked at it
// since. The class is the sum of all steps' hashes, so the order of independent steps does not matter. An operation is
// identified by its parent and its index among its siblings. For a pause, only what it touches counts: the program
// cannot observe that the scheduler lets others go first. Going on after a release counts as nothing: what that code
// does is not seen, and if it counted as touching everything, nearly every execution would be new.
//
// A thing is a resource, the clock, the object behind a descriptor, or some of eight bytes of memory. Accesses to other
// bytes of the same eight are other things. They are looked at as well if they have bytes in common. Which thing it was
// is not hashed: a program decides that by the steps before, and those are.
//
// Each part of a step's footprint costs a lookup in a hash table; a step costs one round of mixing. A few words are
// kept for each operation and each thing of an execution.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/hash.hpp"
#include "base/page_vector.hpp"
#include "strategy/strategy.hpp"

namespace heddle::strategy {

class OrderClass final : public StepWatcher {
 public:
  void begin() {
    operations_.clear();
    some_bytes_.clear();
    taken_ = 0;
    if (++execution_ == 0) slots_.clear();  // the counter wrapped: old slots would look like those of this execution
    sum_ = last_of_all_ = 0;
    stepping_ = kNoOperation;
  }

  void on_step(const ScheduleView& view, OperationId who) override {
    // A new operation is enabled before its first step, so it is seen before another can change it.
    know(view, std::max(index(view.enabled.back()), index(who)));
    stepping_ = who;
    kind_ = view.next(who).kind;
  }

  void on_value(const ScheduleView& view, std::uint32_t value) override {
    know(view, index(view.current));
    Operation& operation = operations_[index(view.current)];
    operation.last = combine(operation.last, ~std::uint64_t{value});
    sum_ += operation.last;
  }

  bool wants_footprints() const override { return true; }
  void on_stepped(OperationId who, const model::Footprint& footprint) override {
    if (stepping_ == kNoOperation) return;  // the step began before the first choice
    stepping_ = kNoOperation;
    if (kind_ == model::EventKind::go_on) [[unlikely]]
      return;
    if (footprint.is_everything()) [[unlikely]] {
      last_of_all_ = conclude(who, sum_);
    } else if (footprint.size() == 1 && footprint.begin()->of == model::Part::Of::resource) [[likely]] {
      const model::Part& part = *footprint.begin();
      const bool looks = only_looks(part.does);
      Thing& thing = slot_of(key(part.of, part.what)).thing;
      leave(thing, looks, conclude(who, before(thing, looks)));
    } else {
      touched_.clear();
      const std::uint64_t step = conclude(who, find_all(who, footprint));
      for (const Touched& touched : touched_) leave(thing(touched), touched.looks, step);
      move_others(who, footprint, step);
    }
  }

  /// The class of the execution so far; never 0. An incomplete step is the one that ends the execution, so it comes
  /// last.
  std::uint64_t value() const {
    const std::uint64_t sum = stepping_ == kNoOperation ? sum_ : sum_ + hash_of(stepping_, last_of_all_);
    return sum == 0 ? 1 : sum;
  }

 private:
  static constexpr std::uint32_t kFirstSlots = 64;
  static constexpr std::uint32_t kNone = ~0u;
  static constexpr std::uint8_t kWhole = 0xff;
  static constexpr std::uint64_t kWordsMost = 1u << 13;  // for one access; the rest of a larger one is left out
  static constexpr std::uint64_t kOdd = 0xd1b5'4a32'd192'ed03ull;  // so that what is its own and what is found differ

  struct Operation {
    std::uint64_t name = kGolden;  // from its parent's name and its index among its siblings
    std::uint64_t last = kGolden;  // hash of its last step, or its name; combined with the steps of others that changed
                                   // it since
    std::uint32_t children = 0;
  };
  struct Thing {
    std::uint64_t last_change = 0;
    std::uint64_t looks = 0;  // since that change
  };
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t execution = 0;  // the slot is empty unless this is the current execution
    std::uint32_t more = kNone;   // index in some_bytes_: what happened to some of these eight bytes
    Thing thing;                  // what happened to it as a whole
  };
  struct SomeBytes {
    Thing thing;
    std::uint32_t next = kNone;  // other bytes of the same eight
    std::uint8_t bytes = 0;
  };
  struct Touched {
    std::uint64_t at;  // a key, because the table may grow before the step is over; or an index in some_bytes_
    bool is_whole;     // it is a key
    bool looks;
  };

  std::uint64_t hash_of(OperationId who, std::uint64_t found) const {
    const std::uint64_t own = operations_[index(who)].last * kOdd;
    return combine(own + static_cast<std::uint64_t>(kind_), found);
  }
  /// The step of this operation is over, and found this.
  std::uint64_t conclude(OperationId who, std::uint64_t found) {
    const std::uint64_t step = hash_of(who, last_of_all_ + found);
    operations_[index(who)].last = step;
    sum_ += step;
    return step;
  }

  void know(const ScheduleView& view, std::uint32_t highest) {
    for (auto i = static_cast<std::uint32_t>(operations_.size()); i <= highest; ++i) [[unlikely]] {
        const OperationId parent = view.parent(OperationId{i});
        Operation operation;
        if (index(parent) < operations_.size()) {
          Operation& maker = operations_[index(parent)];
          operation.name = operation.last = combine(maker.name, ++maker.children);
        }
        operations_.push_back(operation);
      }
  }

  /// The hash of what the step finds. The order of the parts does not matter.
  std::uint64_t find_all(OperationId who, const model::Footprint& footprint) {
    using Of = model::Part::Of;
    std::uint64_t found = 0;
    for (const model::Part& part : footprint) {
      const bool looks = only_looks(part.does);
      if (part.of == Of::operation) {
        if (is_another(part, who)) found += operations_[part.what].last;
      } else if (part.of == Of::bytes) {
        found += find_bytes(part, looks);
      } else if (part.of == Of::descriptor) {  // object 0 may be any, so it is ordered with all
        found += find(key(part.of, 0), kWhole, looks || part.what != 0);
        if (part.what != 0) found += find(key(part.of, part.what), kWhole, looks);
      } else {
        found += find(key(part.of, part.what), kWhole, looks);
      }
    }
    return found;
  }

  std::uint64_t find_bytes(const model::Part& part, bool looks) {
    std::uint64_t found = 0;
    const std::uint64_t end = part.what + part.size;
    const std::uint64_t last = std::min((end - 1) / 8, part.what / 8 + kWordsMost);
    for (std::uint64_t word = part.what / 8; word <= last; ++word) {
      const std::uint64_t from = std::max(part.what, word * 8) % 8;
      const std::uint64_t to = std::min(end - word * 8, std::uint64_t{8});
      found += find(key(part.of, word), static_cast<std::uint8_t>((1u << to) - (1u << from)), looks);
    }
    return found;
  }

  std::uint64_t find(std::uint64_t key, std::uint8_t bytes, bool looks) {
    Slot& slot = slot_of(key);
    std::uint64_t found = before(slot.thing, looks);
    std::uint32_t own = kNone;
    for (std::uint32_t i = slot.more; i != kNone; i = some_bytes_[i].next) {
      if (some_bytes_[i].bytes == bytes) own = i;
      if ((some_bytes_[i].bytes & bytes) != 0) found += before(some_bytes_[i].thing, looks);
    }
    if (bytes == kWhole) {
      touched_.push_back({key, true, looks});
      return found;
    }
    if (own == kNone) {
      own = static_cast<std::uint32_t>(some_bytes_.size());
      some_bytes_.push_back({{}, slot.more, bytes});
      slot.more = own;
    }
    touched_.push_back({own, false, looks});
    return found;
  }

  static std::uint64_t before(const Thing& thing, bool looks) {
    return looks ? thing.last_change : thing.last_change + thing.looks;
  }
  Thing& thing(const Touched& touched) {
    return touched.is_whole ? slot_of(touched.at).thing : some_bytes_[touched.at].thing;
  }
  static void leave(Thing& thing, bool looks, std::uint64_t step) {
    if (looks)
      thing.looks += step;
    else
      thing = {step, 0};
  }

  void move_others(OperationId who, const model::Footprint& footprint, std::uint64_t step) {
    for (const model::Part& part : footprint)
      if (part.of == model::Part::Of::operation && is_another(part, who))
        operations_[part.what].last = combine(operations_[part.what].last, step);
  }
  /// An operation that this very step created is not known yet.
  bool is_another(const model::Part& part, OperationId who) const {
    return part.what != index(who) && part.what < operations_.size();
  }

  static std::uint64_t key(model::Part::Of of, std::uint64_t what) {
    return what * kGolden + static_cast<std::uint64_t>(of) + 1;
  }

  Slot& slot_of(std::uint64_t key) {
    if (slots_.empty()) [[unlikely]]
      grow();
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = (key >> 32) & mask;; at = (at + 1) & mask) {
      Slot& slot = slots_[at];
      if (slot.execution != execution_) return take(slot, key);
      if (slot.key == key) [[likely]]
        return slot;
    }
  }
  Slot& take(Slot& slot, std::uint64_t key) {
    slot = {key, execution_, kNone, {}};
    if (2 * ++taken_ <= slots_.size()) [[likely]]
      return slot;
    grow();
    return slot_of(key);
  }
  void grow() {
    CommonVector<Slot> old;
    old.swap(slots_);
    slots_.resize(old.empty() ? kFirstSlots : 2 * old.size());
    taken_ = 0;
    for (const Slot& slot : old)
      if (slot.execution == execution_) slot_of(slot.key) = slot;
  }

  CommonVector<Operation> operations_;  // indexed by operation
  CommonVector<Slot> slots_;            // at most half full; the size is a power of two
  CommonVector<SomeBytes> some_bytes_;
  CommonVector<Touched> touched_;  // by the current step
  std::size_t taken_ = 0;          // slots of this execution
  std::uint32_t execution_ = 0;
  std::uint64_t sum_ = 0;
  std::uint64_t last_of_all_ = 0;  // the last step that touched everything
  OperationId stepping_ = kNoOperation;
  model::EventKind kind_ = model::EventKind::step;  // of the current step
};

}  // namespace heddle::strategy
