#include "runtime/tsan/spins.hpp"

#include <cstring>

#include "runtime/front.hpp"

namespace heddle::runtime {

std::uint64_t value_at(const volatile void* at, std::size_t bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, const_cast<const void*>(at), bytes < sizeof value ? bytes : sizeof value);
  return value;
}

void Spins::begin() {
  loops_.clear();
  waiting_.clear();
  suspicious_ = 0;
  idle_rounds_ = 0;
}

Spins::Loop& Spins::loop(OperationId id) {
  if (index(id) >= loops_.size()) loops_.resize(index(id) + 1);
  return loops_[index(id)];
}

bool Spins::is_about_to_go_round(OperationId id, const volatile void* at, const void* place) const {
  if (index(id) >= loops_.size()) return false;
  const Loop& loop = loops_[index(id)];
  if (loop.rounds < kRounds || loop.next != 0 || !loop.reads[0].is(at, place)) return false;
  for (std::uint32_t i = 0; i < loop.count; ++i)
    if (value_at(loop.reads[i].at, loop.reads[i].bytes) != loop.reads[i].value) return false;
  return true;
}

void Spins::has_read(OperationId id, const volatile void* at, std::size_t bytes, std::uint64_t value,
                     const void* place) {
  Loop& mine = loop(id);
  if (bytes > sizeof value) {
    forget(mine);
    return;
  }
  if (!mine.is_closed && mine.count > 0 && mine.reads[0].is(at, place)) mine.is_closed = true;
  if (mine.is_closed && mine.next == 0) begin_round(mine);
  if (mine.is_closed) {
    if (mine.reads[mine.next].is(at, place) && mine.reads[mine.next].value == value) {
      if (++mine.next < mine.count) return;
      mine.next = 0;
      if (++mine.rounds == kSuspicious) ++suspicious_;
      return;
    }
    forget(mine);
  }
  if (mine.count == Loop::kMost) forget(mine);
  mine.reads[mine.count++] = {at, place, value, static_cast<std::uint8_t>(bytes)};
}

/// Has anything changed that the loop writes itself?
void Spins::begin_round(Loop& loop) {
  bool is_same = true;
  for (std::uint32_t i = 0; i < loop.written; ++i) {
    const std::uint64_t value = value_at(loop.writes[i].at, loop.writes[i].bytes);
    is_same = is_same && value == loop.writes[i].value;
    loop.writes[i].value = value;
  }
  if (is_same) return;
  if (loop.rounds >= kSuspicious) --suspicious_;
  loop.rounds = 0;
}

void Spins::will_write(OperationId id, const volatile void* at, std::size_t bytes) {
  Loop& mine = loop(id);
  if (mine.count == 0) return;
  for (std::uint32_t i = 0; i < mine.written; ++i)
    if (mine.writes[i].at == at && mine.writes[i].bytes == bytes) return;
  if (mine.written == Loop::kMost || bytes > sizeof(std::uint64_t)) {
    forget(mine);
    return;
  }
  mine.writes[mine.written++] = {at, nullptr, value_at(at, bytes), static_cast<std::uint8_t>(bytes)};
}

void Spins::forget(Loop& loop) {
  if (loop.rounds >= kSuspicious) --suspicious_;
  loop = {};
}

void Spins::wait(OperationId id) { waiting_.push_back(id); }

void Spins::wake(const volatile void* at, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(at);
  for (std::size_t i = waiting_.size(); i-- > 0;) {
    const Loop& theirs = loops_[index(waiting_[i])];
    bool is_awaited = false;
    for (std::uint32_t r = 0; r < theirs.count; ++r) {
      const auto read = reinterpret_cast<std::uintptr_t>(theirs.reads[r].at);
      is_awaited = is_awaited || (read < begin + bytes && begin < read + theirs.reads[r].bytes);
    }
    if (is_awaited) move_on(i);
  }
}

bool Spins::go_round() {
  if (waiting_.empty() || ++idle_rounds_ > kPatience) return false;
  while (!waiting_.empty()) move_on(waiting_.size() - 1);
  return true;
}

/// One more round that is like the last ones, and it waits again.
void Spins::move_on(std::size_t i) {
  const OperationId id = waiting_[i];
  waiting_.erase(i);
  loops_[index(id)].rounds = kRounds - 1;
  front.scheduler().move_on(id, front.scheduler().next(id));
}

}  // namespace heddle::runtime
