// The events of one machine, in order of arrival. They are linked through their blocks; no threads are involved.
//
// Its hash is the sum of identity * B^position. B is odd, and so invertible modulo 2^64: adding an event at the back or
// removing one from the front updates the hash in a few instructions. After an event was taken from the middle, the
// hash is recomputed when it is next needed.
#pragma once

#include <cstdint>

#include "heddle/actor/event.hpp"

namespace heddle::actor {

class Inbox {
 public:
  bool empty() const { return first_ == nullptr; }
  std::size_t size() const { return size_; }
  std::uint64_t hash() const {
    if (is_stale_) rehash();
    return hash_;
  }
  EventBox* first() const { return first_; }
  static EventBox* after(const EventBox& box) { return box.next.load(std::memory_order_relaxed); }

  void push(EventBox* box) {
    link(box, nullptr);
    if (last_ != nullptr)
      link(last_, box);
    else
      first_ = box;
    last_ = box;
    hash_ += box->identity * power_;
    power_ *= kBase;
    ++size_;
  }

  /// `previous` null: the event is the first.
  void remove(EventBox* box, EventBox* previous) {
    EventBox* const next = after(*box);
    if (last_ == box) last_ = previous;
    --size_;
    if (previous == nullptr) {
      first_ = next;
      hash_ = (hash_ - box->identity) * kInverse;
      power_ *= kInverse;
    } else {
      link(previous, next);
      is_stale_ = true;
    }
  }

  std::uint32_t count(const EventType& type) const {
    std::uint32_t found = 0;
    for (const EventBox* box = first_; box != nullptr; box = after(*box)) found += box->type == &type ? 1 : 0;
    return found;
  }

 private:
  static constexpr std::uint64_t kBase = 0x9e37'79b9'7f4a'7c15ull;
  static constexpr std::uint64_t kInverse = 0xf1de'83e1'9937'733dull;
  static_assert(kBase * kInverse == 1);

  static void link(EventBox* box, EventBox* next) { box->next.store(next, std::memory_order_relaxed); }
  void rehash() const {
    is_stale_ = false;
    hash_ = 0;
    power_ = 1;
    for (const EventBox* box = first_; box != nullptr; box = after(*box)) {
      hash_ += box->identity * power_;
      power_ *= kBase;
    }
  }

  EventBox* first_ = nullptr;
  EventBox* last_ = nullptr;
  std::size_t size_ = 0;
  mutable std::uint64_t hash_ = 0;
  mutable std::uint64_t power_ = 1;  // B^size
  mutable bool is_stale_ = false;    // an event was taken from the middle
};

}  // namespace heddle::actor
