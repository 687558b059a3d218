// Makes two operations perform accesses at given places in the code in a given order, as far as the program allows: the
// active scheduler of Maple.
//
// The order is a sequence of up to four accesses, each by T or by U, to one or two resources. Which operations T and U
// are, and which resources are meant, becomes known as the accesses happen. An operation at an access whose turn has
// not come is held back. While a dependency is half done, so is any other operation that would change its resource. If
// `meets` is set, the first access waits until another operation is at the second, so that the two happen one right
// after the other. No operation is held back when no other can go on, nor after so many choices as the caller says. An
// access out of turn undoes what was reached, and the sequence starts again.
//
// Cost: for each enabled operation, a comparison of its place with those in the sequence.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/random.hpp"
#include "strategy/strategy.hpp"

namespace heddle::strategy {

/// An access in the code.
struct AccessSite {
  const void* place = nullptr;
  model::EventKind kind = model::EventKind::step;
};

class EnforcedOrder {
 public:
  static constexpr std::size_t kMax = 4;

  struct Slot {
    AccessSite site;
    std::uint8_t role = 0;      // 0: T, 1: U
    std::uint8_t variable = 0;  // which of two resources
  };

  void clear() { size_ = 0; }
  void add(const Slot& slot) { slots_[size_++] = slot; }
  void begin(bool meets, std::uint32_t patience) {
    meets_ = meets;
    patience_ = patience;
    restart();
  }
  bool is_on() const { return size_ > 0; }

  OperationId choose(const ScheduleView& view, Random& random);
  /// `who` takes its step.
  void step(const ScheduleView& view, OperationId who);

 private:
  enum class Standing : std::uint8_t { free, stays, is_first, has_turn };

  void restart() {
    reached_ = 0;
    who_ = {kNoOperation, kNoOperation};
    resource_ = {kNoResource, kNoResource};
  }
  bool matches(std::size_t slot, OperationId id, const model::Event& event) const;
  Standing standing(OperationId id, const model::Event& event) const;
  bool disturbs(const model::Event& event) const;
  OperationId meeting(const ScheduleView& view) const;
  void reach(OperationId who, const model::Event& event);

  std::array<Slot, kMax> slots_{};
  std::size_t size_ = 0;              // 0: nothing is enforced
  std::size_t reached_ = 0;           // the number of accesses that have happened
  std::array<OperationId, 2> who_{};  // T and U, once they are known
  std::array<ResourceId, 2> resource_{};
  bool meets_ = true;
  std::uint32_t patience_ = 0;  // choices that are left
};

}  // namespace heddle::strategy
