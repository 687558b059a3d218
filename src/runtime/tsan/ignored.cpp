#include "runtime/tsan/ignored.hpp"

#include <new>
#include <sstream>

#include "base/raw.hpp"
#include "runtime/tsan/place_names.hpp"

namespace heddle::runtime {
namespace {

std::uint32_t low_bits(const void* place) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(place));
}

}  // namespace

IgnoredRaces::Shared& IgnoredRaces::shared() {
  if (shared_ == nullptr) shared_ = new (raw::common_pages.map(sizeof(Shared))) Shared;
  return *shared_;
}

bool IgnoredRaces::has(Pair pair) const {
  if (shared_ == nullptr) return false;
  for (const Pair known : shared_->pairs)
    if (known == pair) return true;
  return false;
}

void IgnoredRaces::add(Pair pair) {
  if (!has(pair)) shared().pairs.push_back(pair);
}

std::string IgnoredRaces::text() const {
  std::string text;
  const PlaceNames names;
  for (std::size_t i = 0; shared_ != nullptr && i < shared_->pairs.size(); ++i) {
    const Pair pair = shared_->pairs[i];
    const std::string one = names.of(code_ending_in(static_cast<std::uint32_t>(pair >> 32)));
    const std::string other = names.of(code_ending_in(static_cast<std::uint32_t>(pair)));
    if (!one.empty() && !other.empty()) text += (text.empty() ? "" : " ") + one + "/" + other;
  }
  return text;
}

void IgnoredRaces::add_all(const std::string& text) {
  std::istringstream in(text);
  const PlaceNames names;
  for (std::string word; in >> word;) {
    const std::size_t slash = word.find('/');
    if (slash == std::string::npos) continue;
    const void* const one = names.place(std::string_view(word).substr(0, slash));
    const void* const other = names.place(std::string_view(word).substr(slash + 1));
    if (one != nullptr && other != nullptr) add(pair_of(low_bits(one), low_bits(other)));
  }
}

}  // namespace heddle::runtime
