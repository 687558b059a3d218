#include "runtime/tsan/promoted.hpp"

#include <algorithm>
#include <new>
#include <sstream>

#include "base/hash.hpp"
#include "base/raw.hpp"
#include "runtime/tsan/place_names.hpp"

namespace heddle::runtime {

namespace {
constexpr std::size_t kFirstSlots = 64;
}

Promoted::Shared& Promoted::shared() {
  if (shared_ == nullptr) {
    shared_ = new (raw::common_pages.map(sizeof(Shared))) Shared;
    fill_slots(kFirstSlots);
  }
  return *shared_;
}

void Promoted::begin(bool again) {
  const std::size_t all = shared().places.size();
  in_use_ = again || shared_->repeats ? shared_->last_in_use : all;
  shared_->last_in_use = in_use_;
}

void Promoted::repeat(bool on) { shared().repeats = on; }

void Promoted::forget_after(std::size_t count) {
  if (shared_ == nullptr) return;
  shared_->has_atomics = false;
  if (size() <= count) return;
  shared_->places.set_size(count);
  fill_slots(shared_->slots.size());
}

std::uint32_t& Promoted::slot_of(const void* place) const {
  const std::size_t mask = shared_->slots.size() - 1;
  std::size_t at = (reinterpret_cast<std::uintptr_t>(place) * kGolden >> 32) & mask;
  while (shared_->slots[at] != 0 && shared_->places[shared_->slots[at] - 1] != place) at = (at + 1) & mask;
  return shared_->slots[at];
}

void Promoted::fill_slots(std::size_t slots) {
  shared_->slots.clear();
  shared_->slots.resize(slots);
  for (std::uint32_t i = 0; i < shared_->places.size(); ++i) slot_of(shared_->places[i]) = i + 1;
}

void Promoted::add(const void* place) {
  std::uint32_t& slot = slot_of(place);
  if (slot != 0) return;
  shared_->places.push_back(place);
  slot = static_cast<std::uint32_t>(shared_->places.size());
  if (shared_->places.size() * 2 > shared_->slots.size()) fill_slots(shared_->slots.size() * 2);
}

std::string Promoted::text(std::size_t count) const {
  std::string text;
  const PlaceNames names;
  for (std::size_t i = 0; i < std::min(count, size()); ++i) {
    const std::string name = names.of(shared_->places[i]);
    if (!name.empty()) text += (text.empty() ? "" : " ") + name;
  }
  return text;
}

void Promoted::add_all(const std::string& text) {
  shared();  // before any process is forked that will share them
  std::istringstream in(text);
  const PlaceNames names;
  for (std::string word; in >> word;)
    if (const void* place = names.place(word)) add(place);
  shared_->last_in_use = size();  // a replay begins with them
}

bool Promoted::has(const void* place) const {
  const std::uint32_t number = slot_of(place);
  return number != 0 && number <= in_use_;
}

}  // namespace heddle::runtime
