// Machines that send numbered events to each other at random: each checks that those of one sender come in order.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "heddle/actor.hpp"

namespace production {

struct Drop {
  std::size_t sender;
  std::uint32_t number;  // from 1, of this sender to this machine
};
struct Others {
  std::vector<heddle::MachineId> ids;
};
struct More {};

class Storm {
 public:
  struct Shape {
    std::uint32_t machines;
    std::uint64_t events_each;  // that a machine sends
    std::uint32_t halting = 0;  // machines that halt when they have sent half of theirs
    std::uint32_t burst = 7;    // events in one action
  };
  explicit Storm(const Shape& shape) : shape_(shape) {}

  std::vector<heddle::MachineId> begin(heddle::Runtime& runtime);
  std::uint64_t handled() const { return handled_; }
  std::uint64_t out_of_order() const { return out_of_order_; }

 private:
  friend class Cloud;
  Shape shape_;
  std::atomic<std::uint64_t> handled_ = 0;
  std::atomic<std::uint64_t> out_of_order_ = 0;
};

class Cloud : public heddle::Machine {
 public:
  Cloud(Storm& storm, std::size_t index) : storm_(storm), index_(index), left_(storm.shape_.events_each) {}
  struct Alone;
  struct Raging;
  static void declare(heddle::Declaration<Cloud>& is) {
    is.state<Alone>().start().go_to<Raging, Others>(&Cloud::meet).defer<Drop>();
    is.state<Raging>().on_entry(&Cloud::again).on<Drop>(&Cloud::take).on<More>(&Cloud::rain);
  }

 private:
  void meet(Others&& others) {
    others_ = std::move(others.ids);
    last_.resize(others_.size() + 8);
    sent_.resize(others_.size());
  }
  void again() { send(self(), More{}); }
  void take(const Drop& drop) {
    if (drop.number != last_[drop.sender] + 1) ++storm_.out_of_order_;
    last_[drop.sender] = drop.number;
    ++storm_.handled_;
  }
  void rain() {
    for (std::uint32_t i = 0; i < storm_.shape_.burst && left_ > 0; ++i, --left_) {
      const std::uint32_t to = choose(static_cast<std::uint32_t>(others_.size()));
      send(others_[to], Drop{index_, ++sent_[to]});
    }
    if (index_ < storm_.shape_.halting && left_ <= storm_.shape_.events_each / 2) return halt();
    if (left_ > 0) again();
  }

  Storm& storm_;
  const std::size_t index_;
  std::uint64_t left_;
  std::vector<heddle::MachineId> others_;
  std::vector<std::uint32_t> last_;  // number of each sender, those outside after the machines
  std::vector<std::uint32_t> sent_;
};

inline std::vector<heddle::MachineId> Storm::begin(heddle::Runtime& runtime) {
  std::vector<heddle::MachineId> ids;
  for (std::size_t index = 0; index < shape_.machines; ++index) ids.push_back(runtime.create<Cloud>(*this, index));
  for (const heddle::MachineId id : ids) runtime.send(id, Others{ids});
  return ids;
}

}  // namespace production
