#include "runtime/tsan/promoted.hpp"

#include <algorithm>
#include <new>
#include <sstream>

#include "base/raw.hpp"
#include "runtime/tsan/place_names.hpp"

namespace heddle::runtime {

Promoted::Places& Promoted::places() {
  if (places_ != nullptr) return *places_;
  struct Shared {
    Places places;
    std::size_t last_in_use = 0;
    bool repeats = false;
  };
  auto* const shared = new (raw::common_pages.map(sizeof(Shared))) Shared;
  last_in_use_ = &shared->last_in_use;
  repeats_ = &shared->repeats;
  places_ = &shared->places;
  return *places_;
}

void Promoted::begin(bool again) {
  const std::size_t all = places().size();
  in_use_ = again || *repeats_ ? *last_in_use_ : all;
  *last_in_use_ = in_use_;
}

void Promoted::repeat(bool on) {
  places();
  *repeats_ = on;
}

void Promoted::forget_after(std::size_t count) {
  if (size() > count) places().set_size(count);
}

std::size_t Promoted::find(const void* place) const {
  std::size_t i = 0;
  while (i < size() && (*places_)[i] != place) ++i;
  return i;
}

void Promoted::add(const void* place) {
  if (find(place) == size()) places().push_back(place);
}

std::string Promoted::text(std::size_t count) const {
  std::string text;
  const PlaceNames names;
  for (std::size_t i = 0; i < std::min(count, size()); ++i) {
    const std::string name = names.of((*places_)[i]);
    if (!name.empty()) text += (text.empty() ? "" : " ") + name;
  }
  return text;
}

void Promoted::add_all(const std::string& text) {
  places();  // before any process is forked that will share them
  std::istringstream in(text);
  const PlaceNames names;
  for (std::string word; in >> word;)
    if (const void* place = names.place(word)) add(place);
  *last_in_use_ = size();  // a replay begins with them
}

bool Promoted::has(const void* place) const { return find(place) < in_use_; }

}  // namespace heddle::runtime
