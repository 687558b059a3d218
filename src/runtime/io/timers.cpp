#include "runtime/io/timers.hpp"

#include <algorithm>

#include "engine/scheduler.hpp"
#include "runtime/io/kernel.hpp"

namespace heddle::runtime::io {

using engine::kNever;

Timers timers;

void Timers::begin() {
  timers_.clear();
  watches_.clear();
}

std::uint32_t Timers::add(int descriptor, clockid_t clock) {
  timers_.push_back({descriptor, clock, kNever, 0});
  return static_cast<std::uint32_t>(timers_.size());
}

void Timers::closed(std::uint32_t number, int other) {
  at(number).descriptor = other;
  if (other < 0) at(number).end = kNever;
}

void Timers::fire(std::uint64_t now) {
  for (Timer& timer : timers_) {
    if (timer.end > now) continue;
    const std::uint64_t times = timer.interval == 0 ? 1 : 1 + (now - timer.end) / timer.interval;
    timer.end = timer.interval == 0 ? kNever : timer.end + times * timer.interval;
    kernel(SYS_write, timer.descriptor, &times, static_cast<long>(sizeof times));
  }
}

bool Timers::is_due(std::uint64_t now) const {
  return std::any_of(timers_.begin(), timers_.end(), [now](const Timer& timer) { return timer.end <= now; });
}

void Timers::watch(int epoll, std::uint32_t number) { watches_.push_back({epoll, number}); }

void Timers::stop_watching(int epoll, std::uint32_t number) {
  for (std::size_t i = watches_.size(); i > 0; --i)
    if (watches_[i - 1].epoll == epoll && (number == 0 || watches_[i - 1].timer == number)) watches_.erase(i - 1);
}

std::uint64_t Timers::first_end_in(int epoll) const {
  std::uint64_t first = kNever;
  for (const Watch& watch : watches_)
    if (watch.epoll == epoll) first = std::min(first, timers_[watch.timer - 1].end);
  return first;
}

}  // namespace heddle::runtime::io
