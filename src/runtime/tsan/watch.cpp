#include "runtime/tsan/watch.hpp"

#include <cstring>

#include "engine/detectors/sentence.hpp"
#include "engine/outside.hpp"
#include "runtime/tsan/library_caller.hpp"
#include "runtime/tsan/place_names.hpp"

namespace heddle::runtime {

using model::EventKind;
using model::ResourceKind;
using races::AccessKind;
using races::Conflict;
using races::MemoryOrder;

bool memory_is_watched = false;
races::Order memory_order;
Watch watch;

namespace {

const char* words_for(AccessKind kind, bool in_the_past) {
  switch (kind) {
    case AccessKind::read:
      return in_the_past ? "read" : "reads";
    case AccessKind::write:
      return in_the_past ? "wrote" : "writes";
    case AccessKind::atomic_read:
      return in_the_past ? "read (atomically)" : "reads (atomically)";
    case AccessKind::atomic_write:
      return in_the_past ? "wrote (atomically)" : "writes (atomically)";
    case AccessKind::free:
      return in_the_past ? "freed" : "frees";
  }
  return "";
}

const char* name_of(AccessKind kind) {
  static constexpr const char* kNames[] = {"read", "write", "atomic-read", "atomic-write", "free"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::uint32_t low_bits(const void* place) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(place));
}

bool is_known(OperationId id) { return index(id) < races::kOperationsMax; }

}  // namespace

void Watch::begin() {
  if (!is_instrumented_) return;
  keeps_stacks_ = front.execution().is_recording();
  threads_.clear();
  nodes_.clear();
  sites_.clear();
  blocks_.clear();
  held_.begin();
  spins_.begin();
  promoted_.begin(keeps_stacks_);
  checks_ = settings().races != engine::Races::ignore;
  has_atomic_points_ = settings().points != engine::Points::sync;
  has_plain_points_ =
      settings().points == engine::Points::all || (settings().points == engine::Points::racy && promoted_.any());
  looks_closely_ = has_plain_points_;
  detector_.open();
  detector_.begin(memory_order.begin(settings().races == engine::Races::promote));
  memory_order.add(kMainOperation, kNoOperation);
  memory_is_watched = true;
  engine::outside.spinner = [] { return watch.spins_.someone(); };
}

void Watch::end() {
  keeps_stacks_ = false;
  memory_is_watched = false;
}

void Watch::add(OperationId child, OperationId parent, OperationId earlier_there) {
  memory_order.add(child, parent);
  if (!is_known(child)) return;
  const bool is_clean = earlier_there == kNoOperation || !is_known(earlier_there) ||
                        memory_order.is_before(memory_order.now(earlier_there), child);
  if (is_clean) return;
  const engine::StackBounds stack = front.execution().executor().stack(child);
  detector_.forget(reinterpret_cast<std::uintptr_t>(stack.low), static_cast<std::size_t>(stack.high - stack.low));
}

Watch::Thread& Watch::thread(OperationId id) {
  if (index(id) >= threads_.size()) threads_.resize(index(id) + 1);
  return threads_[index(id)];
}

std::vector<engine::Points> levels_of_points(engine::Races races) {
  using engine::Points;
  const bool has_racy_places = races == engine::Races::promote || watch.promoted().size() > 0;
  if (!has_racy_places) return {Points::sync, Points::racy, Points::all};
  return {Points::sync, Points::atomic, Points::racy, Points::all};
}

// --- plain accesses --------------------------------------------------------------------------------------------------

void Watch::look(const void* at, std::size_t bytes, bool writes, const void* place) {
  const OperationId self = front.self();
  if (!is_known(self) || thread(self).ignores > 0) return;
  const engine::Points points = settings().points;
  const bool is_point =
      points == engine::Points::all || (points == engine::Points::racy && promoted_.any() && promoted_.has(place));
  if (is_point && writes) stand_before_store(EventKind::write, at, place);
  if (is_point && !writes) stand_before_load(EventKind::read, at, place);
  if (spins_.any_suspicion()) {
    if (!is_point || writes) spins_.will_touch(self, at, bytes);
    if (writes) spins_.written(at, bytes);
  }
  check(writes ? AccessKind::write : AccessKind::read, at, bytes, place);
  if (!writes && is_point) has_read(at, bytes, value_at(at, bytes), place);
}

void Watch::check(AccessKind kind, const volatile void* at, std::size_t bytes, const void* place) {
  if (!checks_) return;
  const races::Access access{front.self(), kind, site_of(place)};
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  if (detector_.access_quickly(access, address, bytes)) [[likely]]
    return;
  const Conflict conflict = detector_.access(access, address, bytes);
  if (conflict.kind != Conflict::Kind::none) [[unlikely]]
    found(conflict, place);
}

/// While an execution is recorded, where it is and how it came there; else only where, as far as 32 bits tell.
/// `told` says where, if that is not `place`.
std::uint32_t Watch::site_of_request(const void* place, const void* (*told)(const void*)) {
  if (!keeps_stacks_) [[likely]]
    return low_bits(place);
  const OperationId self = front.self();
  const Site site{place, thread(self).stack, held_.of(self), told != nullptr ? told(place) : place};
  if (sites_.empty() || !(sites_.back() == site)) sites_.push_back(site);
  return static_cast<std::uint32_t>(sites_.size() - 1);
}

/// If it is not, it is noted as the race that ends this execution.
bool Watch::is_ignored(const Conflict& conflict, const void* place) {
  const std::uint32_t earlier = keeps_stacks_ ? low_bits(sites_[conflict.earlier.site].place) : conflict.earlier.site;
  const IgnoredRaces::Pair pair = IgnoredRaces::pair_of(earlier, low_bits(place));
  if (ignored_.has(pair)) return true;
  ignored_.found(pair);
  return false;
}

void Watch::found(const Conflict& conflict, const void* place) {
  const bool is_race = conflict.kind == Conflict::Kind::race;
  if (is_race && is_ignored(conflict, place)) return;
  if (is_race && settings().races == engine::Races::promote) {
    promoted_.add(place);
    promoted_.add(whole_place(conflict.earlier.site));
    return;
  }
  const unsigned later = index(conflict.later.who);
  const unsigned earlier = index(conflict.earlier.who);
  char text[300];
  engine::Sentence sentence(text);
  if (is_race) {
    const ResourceId what = variable_at(reinterpret_cast<const void*>(conflict.address));
    sentence.add("T%u %s %s, which T%u %s, and nothing orders the two", later, words_for(conflict.later.kind, false),
                 engine::described(front.scheduler(), what).text, earlier, words_for(conflict.earlier.kind, true));
  } else {
    sentence.add("T%u %s %u byte%s of a block that T%u has freed", later, words_for(conflict.later.kind, false),
                 conflict.bytes, conflict.bytes == 1 ? "" : "s", earlier);
  }
  if (keeps_stacks_) {
    record(conflict.later.who, name_of(conflict.later.kind), conflict.bytes, conflict.later.site);
    record(conflict.earlier.who, name_of(conflict.earlier.kind), conflict.earlier_bytes, conflict.earlier.site);
    record_block(conflict.address);
  }
  front.execution().fail(is_race ? VerdictKind::race : VerdictKind::memory_error, text);
}

// --- atomic accesses -------------------------------------------------------------------------------------------------

ResourceId Watch::stand_before_load(EventKind kind, const volatile void* at, const void* place) {
  const OperationId self = front.self();
  const ResourceId what = variable_at(at);
  const bool is_point = kind == EventKind::read || has_atomic_points_;
  const Spins::Round round = spins_.next_round(self, at, place, is_point);
  if (round == Spins::Round::waits) [[unlikely]] {
    spins_.wait(self);
    front.execution().step_when_woken(event(EventKind::spin, what, place));
    return what;
  }
  if (round == Spins::Round::yields) [[unlikely]] {
    idle(EventKind::yield, place);
  }
  if (is_point) front.execution().step(event(kind, what, place));
  return what;
}

ResourceId Watch::stand_before_store(EventKind kind, const volatile void* at, const void* place) {
  const ResourceId what = variable_at(at);
  if (kind == EventKind::write || has_atomic_points_) front.execution().step(event(kind, what, place));
  return what;
}

void Watch::has_read(const volatile void* at, std::size_t bytes, std::uint64_t value, const void* place) {
  spins_.has_read(front.self(), at, bytes, value, place);
  looks_closely_ = has_plain_points_ || spins_.any_suspicion();
}

void Watch::has_written(const volatile void* at, std::size_t bytes) {
  spins_.progressed(front.self());
  spins_.written(at, bytes);
}

void Watch::loaded(ResourceId what, const volatile void* at, std::size_t bytes, MemoryOrder order, std::uint64_t value,
                   const void* place) {
  memory_order.load(front.self(), sync_of(what), order);  // first: what it has learned from is before it
  check(AccessKind::atomic_read, at, bytes, place);
  has_read(at, bytes, value, place);
}

void Watch::stored(ResourceId what, const volatile void* at, std::size_t bytes, MemoryOrder order, const void* place) {
  check(AccessKind::atomic_write, at, bytes, place);
  memory_order.store(front.self(), sync_of(what), order);
  has_written(at, bytes);
}

void Watch::updated(ResourceId what, const volatile void* at, std::size_t bytes, MemoryOrder order,
                    std::uint64_t before, bool has_changed, const void* place) {
  memory_order.load(front.self(), sync_of(what), order);
  check(AccessKind::atomic_write, at, bytes, place);
  memory_order.carry_on(front.self(), sync_of(what), order);
  if (has_changed)
    has_written(at, bytes);
  else
    has_read(at, bytes, before, place);
}

void Watch::fenced(MemoryOrder order, const void* place) {
  if (has_atomic_points_) idle(EventKind::fence, place);
  memory_order.fence(front.self(), order);
}

// --- the heap --------------------------------------------------------------------------------------------------------

void Watch::allocated(const void* block, std::size_t bytes, const void* place) {
  const auto begin = reinterpret_cast<std::uintptr_t>(block);
  detector_.forget(begin, bytes);
  if (keeps_stacks_) blocks_.push_back({begin, bytes, site_of_request(place, caller_of_library), front.self()});
}

void Watch::freed(const void* block, std::size_t bytes, const void* place) {
  const OperationId self = front.self();
  if (!is_known(self) || thread(self).ignores > 0 || !checks_) return;
  const Conflict conflict = detector_.free({self, AccessKind::free, site_of_request(place, caller_of_library)},
                                           reinterpret_cast<std::uintptr_t>(block), bytes);
  if (conflict.kind != Conflict::Kind::none) [[unlikely]]
    found(conflict, place);
}

// --- what a person wants to know of it -------------------------------------------------------------------------------

const void* Watch::whole_place(std::uint32_t site) const {
  return keeps_stacks_ ? sites_[site].place : code_ending_in(site);
}

void Watch::record(OperationId who, const char* what, std::size_t bytes, std::uint32_t at) {
  constexpr std::uint32_t kFrames = 48;
  const void* frames[kFrames] = {sites_[at].told};
  std::uint32_t count = 1;
  for (std::uint32_t node = sites_[at].stack; node != 0 && count < kFrames; node = nodes_[node - 1].parent)
    frames[count++] = nodes_[node - 1].place;
  engine::Recorder& recorder = *front.execution().recorder();
  recorder.note_access(who, what, static_cast<std::uint32_t>(bytes), frames, count);
  for (std::uint32_t lock = sites_[at].locks; lock != 0; lock = held_[lock].before)
    recorder.note_lock(held_[lock].lock, held_[lock].step);
}

void Watch::record_block(std::uintptr_t address) {
  for (std::size_t i = blocks_.size(); i-- > 0;) {
    const Block& block = blocks_[i];
    if (address < block.begin || address >= block.begin + block.bytes) continue;
    record(block.by, "allocate", block.bytes, block.site);
    return;
  }
}

void Watch::push(const void* place, std::uintptr_t stack) {
  Thread& mine = thread(front.self());
  nodes_.push_back({place, mine.stack, stack});
  mine.stack = static_cast<std::uint32_t>(nodes_.size());
}

void Watch::pop() {
  Thread& mine = thread(front.self());
  if (mine.stack != 0) mine.stack = nodes_[mine.stack - 1].parent;
}

void Watch::pop_below(std::uintptr_t stack) {
  Thread& mine = thread(front.self());
  while (mine.stack != 0 && nodes_[mine.stack - 1].stack < stack) mine.stack = nodes_[mine.stack - 1].parent;
}

/// Reading a lock twice takes two unlocks; of a mutex that is locked again only the last unlock is told.
void Watch::hold(ResourceId lock) {
  const bool again = front.at(lock).kind == ResourceKind::read_write_lock;
  held_.take(front.self(), lock, front.execution().recorder()->step_count(), again);
}

void note_taken(ResourceId lock) { watch.taken(lock); }
void note_given_back(ResourceId lock) { watch.given_back(lock); }

void Watch::ignore(int by) { thread(front.self()).ignores += by; }

}  // namespace heddle::runtime
