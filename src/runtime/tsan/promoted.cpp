#include "runtime/tsan/promoted.hpp"

#include <new>

#include "base/raw.hpp"

namespace heddle::runtime {

Promoted::Places& Promoted::places() {
  if (places_ != nullptr) return *places_;
  struct Shared {
    Places places;
    std::size_t last_in_use = 0;
  };
  auto* const shared = new (raw::common_pages.map(sizeof(Shared))) Shared;
  last_in_use_ = &shared->last_in_use;
  places_ = &shared->places;
  return *places_;
}

void Promoted::begin(bool again) {
  const std::size_t all = places().size();
  in_use_ = again ? *last_in_use_ : all;
  *last_in_use_ = in_use_;
}

std::size_t Promoted::find(const void* place) const {
  std::size_t i = 0;
  while (i < size() && (*places_)[i] != place) ++i;
  return i;
}

void Promoted::add(const void* place) {
  if (find(place) == size()) places().push_back(place);
}

bool Promoted::has(const void* place) const { return find(place) < in_use_; }

}  // namespace heddle::runtime
