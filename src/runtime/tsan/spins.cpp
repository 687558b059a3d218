#include "runtime/tsan/spins.hpp"

#include <cstring>

#include "base/hash.hpp"
#include "engine/program_frame.hpp"
#include "engine/program_memory.hpp"
#include "runtime/front.hpp"

namespace heddle::runtime {

std::uint64_t value_at(const volatile void* at, std::size_t bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, const_cast<const void*>(at), bytes < sizeof value ? bytes : sizeof value);
  return value;
}

namespace {

/// The whole private state of the running operation; 0: not known.
std::uint64_t own_state(OperationId id) {
  const engine::ProgramFrame frame = engine::innermost_program_frame();
  const engine::StackBounds bounds = front.execution().executor().stack(id);
  const auto high = reinterpret_cast<std::uintptr_t>(bounds.high);
  if (frame.stack < reinterpret_cast<std::uintptr_t>(bounds.low) || frame.stack >= high) return 0;
  return combine(combine(frame.registers, frame.stack), engine::hash_of_memory(frame.stack, high)) | 1;
}

/// Is it in a frame of the running operation that the program has left?
bool is_left_frame(OperationId id, const volatile void* at) {
  const engine::StackBounds bounds = front.execution().executor().stack(id);
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  return address >= reinterpret_cast<std::uintptr_t>(bounds.low) &&
         address < reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
}

}  // namespace

void Spins::begin() {
  loops_.clear();
  left_.clear();
  waiting_.clear();
  suspicious_ = 0;
}

Spins::Loop& Spins::loop(OperationId id) {
  if (index(id) >= loops_.size()) loops_.resize(index(id) + 1);
  return loops_[index(id)];
}

bool Spins::is_at_its_beginning(const Loop& loop, const volatile void* at, const void* place) const {
  if (loop.rounds < kSuspicious || loop.next != 0 || !loop.reads[0].is(at, place)) return false;
  for (std::uint32_t i = 0; i < loop.count; ++i)
    if (value_at(loop.reads[i].at, loop.reads[i].bytes) != loop.reads[i].value) return false;
  return true;
}

Spins::Round Spins::look_at_round(OperationId id, const volatile void* at, const void* place, bool has_point) {
  if (index(id) >= loops_.size()) return Round::goes_on;
  Loop& mine = loops_[index(id)];
  if (mine.count > 0 && has_done_more(id, mine)) forget(mine);
  if (!is_at_its_beginning(mine, at, place)) return Round::goes_on;
  begin_round(mine);
  if (mine.rounds < kSuspicious) return Round::goes_on;
  if (is_stutter(id, mine)) return Round::waits;
  return mine.rounds % (has_point ? kRoundsWithPoints : kRoundsWithout) == 0 ? Round::yields : Round::goes_on;
}

/// Since its last read: another step, or a drawn value.
bool Spins::has_done_more(OperationId id, const Loop& loop) const {
  return loop.last_step != front.scheduler().last_step(id) || loop.values != front.execution().values();
}

/// Compared in rounds 2 and 3, 8 and 9, 32 and 33 …
bool Spins::is_stutter(OperationId id, Loop& loop) {
  if (loop.rounds < loop.compare_at) return false;
  const engine::Uncontrolled heddle_at_work;
  const std::uint64_t state = own_state(id);
  const bool is_same = loop.has_state && state != 0 && state == loop.state;
  if (loop.has_state && !is_same) {
    loop.has_state = false;
    loop.compare_at = 4 * loop.rounds;
    return false;
  }
  loop.has_state = true;
  loop.state = state;
  return is_same;
}

void Spins::has_read(OperationId id, const volatile void* at, std::size_t bytes, std::uint64_t value,
                     const void* place) {
  Loop& mine = loop(id);
  if (bytes > sizeof value) {
    forget(mine);
    return;
  }
  mine.last_step = front.scheduler().last_step(id);
  mine.values = front.execution().values();
  if (!mine.is_closed && mine.count > 0 && mine.reads[0].is(at, place)) mine.is_closed = true;
  if (mine.is_closed) {
    if (mine.reads[mine.next].is(at, place) && mine.reads[mine.next].value == value) {
      if (++mine.next < mine.count) return;
      mine.next = 0;
      if (++mine.rounds == kSuspicious) ++suspicious_;
      return;
    }
    forget(mine);
    mine.last_step = front.scheduler().last_step(id);
    mine.values = front.execution().values();
  }
  if (mine.count == Loop::kMost) forget(mine);
  mine.reads[mine.count++] = {at, place, value, static_cast<std::uint8_t>(bytes)};
}

/// Begins anew if anything has changed in the memory that the loop touches besides its reads.
void Spins::begin_round(Loop& loop) {
  bool is_same = true;
  for (std::uint32_t i = 0; i < loop.touched_count; ++i) {
    const std::uint64_t value = value_at(loop.touched[i].at, loop.touched[i].bytes);
    is_same = is_same && (i >= loop.touched_known || value == loop.touched[i].value);
    loop.touched[i].value = value;
  }
  if (loop.touched_known < loop.touched_count) loop.has_state = false;  // the round before says nothing of the new ones
  loop.touched_known = loop.touched_count;
  if (!is_same) begin_anew(loop);
}

void Spins::begin_anew(Loop& loop) {
  if (loop.rounds >= kSuspicious) --suspicious_;
  loop.rounds = 0;
  loop.compare_at = 0;
  loop.has_state = false;
}

void Spins::will_touch(OperationId id, const volatile void* at, std::size_t bytes) {
  Loop& mine = loop(id);
  if (mine.count == 0) return;
  for (std::uint32_t i = 0; i < mine.touched_count; ++i)
    if (mine.touched[i].at == at && mine.touched[i].bytes == bytes) return;
  if (mine.touched_count == Loop::kMost || bytes > sizeof(std::uint64_t)) {
    forget(mine);
    return;
  }
  // What is there now says nothing: a variable that the loop is about to set for the first time holds anything.
  mine.touched[mine.touched_count++] = {at, nullptr, 0, static_cast<std::uint8_t>(bytes)};
}

void Spins::will_write(OperationId id, const volatile void* at, std::size_t bytes) {
  Loop& mine = loop(id);
  if (bytes > sizeof(std::uint64_t)) {
    forget(mine);
    return;
  }
  mine.written = {at, nullptr, 0, static_cast<std::uint8_t>(bytes)};
  has_idled(id);
}

void Spins::judge_write(OperationId id, Loop& loop) {
  const Read written = loop.written;
  loop.written = {};
  if (is_left_frame(id, written.at)) return;  // nobody reads that again
  if (!leaves_the_same(id, written)) forget(loop);
}

bool Spins::leaves_the_same(OperationId id, const Read& written) {
  if (index(id) >= left_.size()) left_.resize(index(id) + 1);
  Left& mine = left_[index(id)];
  const std::uint64_t value = value_at(written.at, written.bytes);
  for (std::uint32_t i = 0; i < mine.count; ++i) {
    Read& before = mine.writes[i];
    if (before.at != written.at || before.bytes != written.bytes) continue;
    const bool is_same = before.value == value;
    before.value = value;
    return is_same;
  }
  if (mine.count == Loop::kMost) mine.count = 0;
  mine.writes[mine.count] = written;
  mine.writes[mine.count++].value = value;
  return false;
}

void Spins::forget(Loop& loop) {
  if (loop.rounds >= kSuspicious) --suspicious_;
  loop = {};
}

bool Spins::is_between_reads(OperationId id) const {
  return index(id) < loops_.size() && loops_[index(id)].count > 0 &&
         loops_[index(id)].last_step == front.scheduler().last_step(id);
}

void Spins::has_idled(OperationId id) { loops_[index(id)].last_step = front.scheduler().last_step(id); }

void Spins::wait(OperationId id) { waiting_.push_back(id); }

void Spins::wake(const volatile void* at, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(at);
  for (std::size_t i = waiting_.size(); i-- > 0;) {
    const Loop& theirs = loops_[index(waiting_[i])];
    bool is_awaited = false;
    for (std::uint32_t r = 0; r < theirs.count; ++r) is_awaited = is_awaited || theirs.reads[r].meets(begin, bytes);
    for (std::uint32_t t = 0; t < theirs.touched_count; ++t)
      is_awaited = is_awaited || theirs.touched[t].meets(begin, bytes);
    if (is_awaited) move_on(i);
  }
}

void Spins::move_on(std::size_t i) {
  const OperationId id = waiting_[i];
  waiting_.erase(i);
  front.scheduler().move_on(id, front.scheduler().next(id));
}

}  // namespace heddle::runtime
