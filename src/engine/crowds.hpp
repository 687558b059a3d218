// Operations that wait for one thing, as one: those that stand at one resource, before one kind of event, without a
// deadline.
//
// The resource admits all of them or none, so all become enabled, or stop being enabled, by one change of the crowd.
// (An exception is an operation that asks again for what it holds. It is admitted when others are not, so it does not
// join.) The scheduler makes a crowd when it finds that many stand alike, and gives it back when the last has left.
#pragma once

#include <cstdint>
#include <new>

#include "base/ids.hpp"
#include "base/page_vector.hpp"
#include "base/raw.hpp"
#include "model/event_kind.hpp"
#include "model/operation_set.hpp"

namespace heddle::engine {

/// Stands for any operation that holds nothing.
inline constexpr OperationId kAnyMember{0xffff'fffdu};

struct Crowd {
  ResourceId of = kNoResource;
  model::EventKind kind = model::EventKind::step;
  bool is_admitted = false;
  model::OperationSet members;
};

/// Numbered from 1; 0 stands for no crowd. The memory of a crowd is kept for the next.
class Crowds {
 public:
  static constexpr std::uint16_t kMost = 0xfffe;

  Crowds() = default;
  Crowds(const Crowds&) = delete;
  Crowds& operator=(const Crowds&) = delete;
  ~Crowds() {
    for (Crowd* crowd : all_) {
      crowd->~Crowd();
      raw::unmap_pages(crowd, sizeof(Crowd));
    }
  }

  Crowd& operator[](std::uint16_t number) { return *all_[number - 1u]; }
  const Crowd& operator[](std::uint16_t number) const { return *all_[number - 1u]; }

  /// Gives all of them back.
  void clear() {
    unused_.clear();
    for (std::size_t i = all_.size(); i > 0; --i) unused_.push_back(static_cast<std::uint16_t>(i));
  }

  /// 0: there are as many as there can be.
  std::uint16_t make(ResourceId of, model::EventKind kind, bool is_admitted) {
    if (unused_.empty() && !add()) return 0;
    const std::uint16_t number = unused_.back();
    unused_.pop_back();
    Crowd& crowd = (*this)[number];
    crowd.of = of;
    crowd.kind = kind;
    crowd.is_admitted = is_admitted;
    crowd.members.clear();
    return number;
  }
  void give_back(std::uint16_t number) { unused_.push_back(number); }

 private:
  bool add() {
    if (all_.size() == kMost) return false;
    all_.push_back(new (raw::map_pages(sizeof(Crowd))) Crowd);
    unused_.push_back(static_cast<std::uint16_t>(all_.size()));
    return true;
  }

  PageVector<Crowd*> all_;
  PageVector<std::uint16_t> unused_;
};

}  // namespace heddle::engine
