#include "runtime/tsan/held.hpp"

namespace heddle::runtime {

void Held::begin() {
  locks_.clear();
  last_.clear();
}

void Held::take(OperationId who, ResourceId lock, std::uint32_t step, bool again) {
  if (index(who) >= last_.size()) last_.resize(index(who) + 1);
  std::uint32_t& mine = last_[index(who)];
  for (std::uint32_t held = mine; !again && held != 0; held = (*this)[held].before)
    if ((*this)[held].lock == lock) return;
  mine = add(lock, step, mine);
}

void Held::give_back(OperationId who, ResourceId lock) {
  if (index(who) < last_.size()) last_[index(who)] = without(last_[index(who)], lock);
}

std::uint32_t Held::add(ResourceId lock, std::uint32_t step, std::uint32_t before) {
  locks_.push_back({lock, step, before});
  return static_cast<std::uint32_t>(locks_.size());
}

/// The list without the last entry of this lock. A list is as long as locks are nested.
std::uint32_t Held::without(std::uint32_t list, ResourceId lock) {
  if (list == 0) return 0;
  const Lock first = (*this)[list];
  if (first.lock == lock) return first.before;
  const std::uint32_t rest = without(first.before, lock);
  return rest == first.before ? list : add(first.lock, first.step, rest);
}

}  // namespace heddle::runtime
