#include "runtime/tsan/memory_check.hpp"

#include "engine/detectors/sentence.hpp"
#include "engine/execution.hpp"

namespace heddle::runtime {

using races::Conflict;

void MemoryCheck::begin(const engine::Settings& settings) {
  races_ = settings.races;
  promoted_.begin(stacks_.keeps());
  detector_.open();
  const bool promotes = races_ == engine::Races::promote;
  const auto sequences =
      settings.standard < engine::Standard::cxx20 ? model::Sequences::own_stores : model::Sequences::updates;
  const bool names_exactly = stacks_.keeps() || promotes || ignored_.may_come();
  detector_.begin(memory_order.begin(promotes, sequences), names_exactly);
  memory_order.add(kMainOperation, kNoOperation);
  left_frames_.begin();
}

void MemoryCheck::add(OperationId child, OperationId earlier_there) {
  left_frames_.add(child);
  if (!is_known_to_detector(child)) return;
  const bool is_clean = earlier_there == kNoOperation || !is_known_to_detector(earlier_there) ||
                        memory_order.is_before(memory_order.now(earlier_there), child);
  if (is_clean) return;
  const engine::StackBounds stack = front.execution().executor().stack(child);
  forget(stack.low, static_cast<std::size_t>(stack.high - stack.low));
}

void MemoryCheck::access(AccessKind kind, const volatile void* at, std::size_t bytes, const void* place) {
  const races::Access access{front.self(), kind, stacks_.site_of(place, at, bytes)};
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  const bool sees_races = races_ != engine::Races::ignore;
  if (sees_races && detector_.access_quickly(access, address, bytes)) [[likely]]
    return;
  const Conflict conflict =
      sees_races ? detector_.access(access, address, bytes) : detector_.use_of_freed(access, address, bytes);
  if (conflict.kind != Conflict::Kind::none) [[unlikely]]
    found(conflict, place);
}

void MemoryCheck::allocated(const void* block, std::size_t bytes, const void* place) {
  const races::Access access{front.self(), AccessKind::allocate, stacks_.site_of_request(place, block, bytes)};
  if (races_ == engine::Races::ignore)
    forget(block, bytes);
  else
    detector_.allocate(access, reinterpret_cast<std::uintptr_t>(block), bytes);
  stacks_.keep_block(access.site, access.who);
}

void MemoryCheck::freed(const void* block, std::size_t bytes, const void* place) {
  const races::Access access{front.self(), AccessKind::free, stacks_.site_of_request(place, block, bytes)};
  const Conflict conflict = detector_.free(access, reinterpret_cast<std::uintptr_t>(block), bytes);
  if (conflict.kind != Conflict::Kind::none) [[unlikely]]
    found(conflict, place);
}

void MemoryCheck::used(ResourceId id) {
  constexpr std::size_t kBytes = sizeof(int);  // every such object is at least this large
  const void* const at = front.at(id).address;
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  if (detector_.use_of_freed({front.self(), AccessKind::use, 0}, address, kBytes).kind == Conflict::Kind::none)
      [[likely]]
    return;
  const void* const place = front.scheduler().next(front.self()).place;
  const Conflict conflict = detector_.use_of_freed(
      {front.self(), AccessKind::use, stacks_.site_of_request(place, at, kBytes)}, address, kBytes);
  char text[300];
  engine::Sentence sentence(text);
  sentence.add("T%u uses %s, in a block that T%u has freed", index(conflict.later.who),
               engine::described(front.scheduler(), id).text, index(conflict.earlier.who));
  record(conflict);
  front.execution().fail(VerdictKind::memory_error, text);
}

/// If it is not ignored, notes it as the race that ends this execution.
bool MemoryCheck::is_ignored(const Conflict& conflict, const void* place) {
  const IgnoredRaces::Pair pair =
      IgnoredRaces::pair_of(stacks_.low_bits_of(conflict.earlier.site), Stacks::low_bits(place));
  if (ignored_.has(pair)) return true;
  ignored_.found(pair);
  return false;
}

void MemoryCheck::found(const Conflict& conflict, const void* place) {
  if (conflict.kind == Conflict::Kind::freed) {
    tell_freed(conflict);
    return;
  }
  if (is_ignored(conflict, place)) return;
  if (races_ == engine::Races::promote) {
    promoted_.add(place);
    if (conflict.earlier.kind != AccessKind::allocate) promoted_.add(stacks_.place_of(conflict.earlier.site));
    return;
  }
  tell_race(conflict);
}

void MemoryCheck::tell_race(const Conflict& conflict) {
  char text[300];
  engine::Sentence sentence(text);
  const ResourceId what = variable_at(reinterpret_cast<const void*>(conflict.address));
  sentence.add("T%u %s ", index(conflict.later.who), row(conflict.later.kind).does.data());
  const Mention variable = sentence.mention(front.scheduler(), what);
  sentence.add(", which T%u %s, and nothing orders the two", index(conflict.earlier.who),
               row(conflict.earlier.kind).did.data());
  if (memory_order.is_before_by_older_rule(conflict.when, conflict.later.who))
    sentence.add(" (under C++17 a release sequence would order them)");
  record(conflict);
  front.execution().fail(VerdictKind::race, text, variable);
}

void MemoryCheck::tell_freed(const Conflict& conflict) {
  char text[300];
  engine::Sentence sentence(text);
  sentence.add("T%u %s %u byte%s of a block that T%u has freed", index(conflict.later.who),
               row(conflict.later.kind).does.data(), conflict.bytes, conflict.bytes == 1 ? "" : "s",
               index(conflict.earlier.who));
  record(conflict);
  front.execution().fail(VerdictKind::memory_error, text);
}

void MemoryCheck::tell_left(AccessKind kind, const volatile void* at, std::size_t bytes, const void* place,
                            LeftFrames::Found left) {
  const races::Access access{front.self(), kind, stacks_.site_of(place, at, bytes)};
  char text[300];
  engine::Sentence sentence(text);
  sentence.add("T%u %s %zu byte%s ", index(access.who), row(access.kind).does.data(), bytes, bytes == 1 ? "" : "s");
  if (left.has_ended)
    sentence.add("of the stack of T%u, which has ended", index(left.whose));
  else
    sentence.add("of T%u's stack, in a frame that T%u has left", index(left.whose), index(left.whose));
  if (stacks_.keeps()) stacks_.record(access.who, access.kind, access.site);
  front.execution().fail(VerdictKind::memory_error, text);
}

void MemoryCheck::record(const Conflict& conflict) {
  if (!stacks_.keeps()) return;
  stacks_.record(conflict.later.who, conflict.later.kind, conflict.later.site);
  stacks_.record(conflict.earlier.who, conflict.earlier.kind, conflict.earlier.site);
  if (conflict.earlier.kind != AccessKind::allocate) stacks_.record_block(conflict.address);
}

}  // namespace heddle::runtime
