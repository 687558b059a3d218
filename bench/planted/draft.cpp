#include "draft.hpp"

#include <algorithm>

namespace planted {
namespace {

constexpr std::size_t kCodesMax = 6;

std::size_t codes_for(std::size_t threads, Numbers& numbers) {
  const std::size_t most = std::min(threads, kCodesMax);
  return 2 + numbers.below(most - 1);
}

}  // namespace

Code joined(std::initializer_list<Code> parts) {
  Code all;
  for (const Code& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// The first threads have a code each. Of the others, all have the same, or each any but that of the loner.
Draft::Draft(Numbers& numbers, std::size_t threads, bool apart)
    : numbers_(numbers), apart_(apart), idle_max_(threads > 10 ? 3 : 12), codes_(codes_for(threads, numbers)) {
  const auto but_the_loner = [&] {
    const std::size_t code = numbers_.below(codes_.size() - 1);
    return code < loner() ? code : code + 1;
  };
  const bool are_alike = numbers_.one_in(2);
  const std::size_t most = but_the_loner();
  for (std::size_t i = 0; i < threads; ++i)
    threads_.push_back(i < codes_.size() ? i : are_alike ? most : but_the_loner());
  for (std::size_t i = threads; i > 1; --i) std::swap(threads_[i - 1], threads_[numbers_.below(i)]);
}

std::size_t Draft::victim() { return apart_ ? numbers_.below(codes_.size()) : 0; }

std::size_t Draft::other_than(std::size_t code) {
  const std::size_t other = numbers_.below(codes_.size() - 1);
  return other < code ? other : other + 1;
}

std::size_t Draft::threads_of(std::size_t code) const {
  return static_cast<std::size_t>(std::count(threads_.begin(), threads_.end(), code));
}

Code Draft::idle() {
  Code code;
  const std::uint8_t a = numbers_.below(kIdle);
  const std::uint8_t b = numbers_.below(kIdle);
  switch (numbers_.below(6)) {
    case 0:
      return {{Op::load, a}};
    case 1:
      return {{Op::store, a, b}};
    case 2:
      return {{Op::add, a}};
    case 3:
      return {{Op::lock, a}, {Op::load, b}, {Op::store_next, b}, {Op::unlock, a}};
    case 4:
      return {{Op::lock, a}, {Op::store, b, a}, {Op::broadcast, a}, {Op::unlock, a}};
    default:
      return {{Op::post, a}};
  }
}

void Draft::append(std::size_t code, const Code& part) {
  for (std::size_t i = numbers_.below(idle_max_ / 2 + 1); i > 0; --i) codes_[code] = joined({codes_[code], idle()});
  codes_[code] = joined({codes_[code], part});
}

void Draft::append_armed(std::size_t code, Code part) {
  append(code, joined({{{Op::if_armed, 0, static_cast<std::uint8_t>(part.size())}}, part}));
}

void Draft::demanded(std::size_t code) {
  if (apart_) codes_[code].push_back({Op::met, static_cast<std::uint8_t>(demands_)});
  ++demands_;
}

// Every instruction has a site of its own, as long as there are some; the bug is not to be known by its place.
Program Draft::finish(bool fails) {
  for (std::size_t i = 0; i < codes_.size(); ++i)
    if (numbers_.one_in(2)) append(i, idle());
  if (fails && !apart_) codes_[0].push_back({Op::fail});
  std::uint8_t site = 0;
  for (Code& code : codes_)
    for (Instruction& instruction : code) instruction.site = site++ % kSites;
  return {std::move(codes_), std::move(threads_), apart_ ? demands_ : 0};
}

}  // namespace planted
