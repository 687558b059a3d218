#include "engine/detectors/livelock.hpp"

#include <algorithm>
#include <bit>

#include "base/hash.hpp"
#include "engine/execution.hpp"

namespace heddle::engine {

using model::Event;

namespace {

constexpr std::uint64_t kLooks = 4096;            // at least this many: some milliseconds
constexpr std::uint64_t kLooksAnOperation = 128;  // enough for each operation to go round a loop a few times
constexpr std::uint64_t kFirstKept = 64;
constexpr std::uint64_t kFirstTold = 256;
constexpr std::uint64_t kBytesMost = 256u << 20;  // read in total: a tenth of a second
constexpr std::uintptr_t kNearBytes = 512;        // of the stack, hashed at every step
constexpr std::size_t kPlacesMost = 64;

std::uint64_t number(const void* address) { return reinterpret_cast<std::uint64_t>(address); }

std::uint64_t hash_of(const Event& event) {
  return combine(combine(static_cast<std::uint64_t>(event.kind), index(event.resource)), number(event.place));
}

}  // namespace

OperationId OldestFirst::choose_operation(const strategy::ScheduleView& view) {
  return *std::min_element(view.enabled.begin(), view.enabled.end(), [this](OperationId a, OperationId b) {
    return scheduler_.last_step(a) < scheduler_.last_step(b);
  });
}

void find_spinner(Execution& execution) {
  const OperationId spinner = execution.some_spinner();
  if (spinner == kNoOperation || execution.awaits_environment()) return;
  char text[160];
  Sentence(text).add("T%u waits in a loop for a write that nobody is left to make", index(spinner));
  execution.keep_stack();
  execution.end_with(VerdictKind::livelock, text);
}

void LivelockWatch::begin(std::uint64_t looks_max) {
  locals_.clear();
  locals_.resize(scheduler_.operation_count());
  for (std::uint32_t i = 0; i < scheduler_.operation_count(); ++i) locals_[i].next = scheduler_.next(OperationId{i});
  places_.clear();
  memory_.begin();
  repetition_.begin(kFirstKept);
  looks_ = 0;
  looks_max_ = looks_max;
  has_found_ = false;
  draws_ = false;
}

void LivelockWatch::capture(OperationId self) {
  if (index(self) >= locals_.size()) locals_.resize(index(self) + 1);
  Local& mine = locals_[index(self)];
  mine.frame = innermost_program_frame();
  const StackBounds bounds = executor_.stack(self);
  const auto high = reinterpret_cast<std::uintptr_t>(bounds.high);
  const std::uintptr_t stack = mine.frame.stack;
  mine.is_captured = stack >= reinterpret_cast<std::uintptr_t>(bounds.low) && stack < high;
  if (!mine.is_captured) {  // it runs on a stack that the program made
    repetition_.is_not_comparable();
    return;
  }
  // The outcome of its last step is part of the state as well: a wait that timed out returns a different result.
  mine.hash = combine(combine(mine.frame.registers, stack), scheduler_.expired() ? 1 : 0);
  mine.hash = combine(mine.hash, memory_.hash_bytes(stack, std::min(high, stack + kNearBytes)));
}

void LivelockWatch::count(const void* place) {
  for (PlaceCount& known : places_) {
    if (known.place != place) continue;
    ++known.steps;
    return;
  }
  if (place != nullptr && places_.size() < kPlacesMost) places_.push_back({place, 1});
}

/// The current operation took the last step, at the event that it stood before.
void LivelockWatch::take_in_last_step() {
  const OperationId who = scheduler_.current();
  const Event& event = locals_[index(who)].next;
  repetition_.stepped(who);
  if (model::row(event.kind).beyond_state) repetition_.is_not_comparable();
  count(event.place);
}

std::uint64_t LivelockWatch::look_at_operations() {
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < scheduler_.operation_count(); ++i) {
    const OperationId id{i};
    if (scheduler_.has_ended(id)) continue;
    Local& local = locals_[i];
    local.next = scheduler_.next(id);
    sum += combine(combine(hash_of(local.next), local.hash), i);
  }
  return sum;
}

LivelockWatch::Finding LivelockWatch::look() {
  if (locals_.size() < scheduler_.operation_count()) locals_.resize(scheduler_.operation_count());
  take_in_last_step();
  const std::uint64_t cheap = look_at_operations();
  ++looks_;
  if (!has_found_ && repetition_.comes_again(cheap, [this] { return whole_state(); })) {
    has_found_ = true;
    length_ = repetition_.length();
  }
  for (const OperationId id : scheduler_.enabled()) repetition_.was_enabled(id);
  if (has_found_) return looks_ >= kFirstTold && std::has_single_bit(looks_) ? Finding::livelock : Finding::nothing_yet;
  return looks_ >= looks_max_ || memory_.bytes_read() > kBytesMost ? Finding::nothing : Finding::nothing_yet;
}

std::uint64_t LivelockWatch::enough_looks() const {
  return std::max(kLooks, std::bit_ceil(kLooksAnOperation * scheduler_.operation_count()));
}

/// Of the part in use. For an operation that has not moved since the watch began, that is the whole stack.
std::uint64_t LivelockWatch::hash_of_stack(OperationId id) {
  const StackBounds bounds = executor_.stack(id);
  if (bounds.high == nullptr) return 0;  // it has none at the moment
  const auto high = reinterpret_cast<std::uintptr_t>(bounds.high);
  const Local& local = locals_[index(id)];
  if (local.is_captured) return memory_.hash_bytes(local.frame.stack, high);
  return memory_.hash_touched(reinterpret_cast<std::uintptr_t>(bounds.low), high);
}

std::optional<std::uint64_t> LivelockWatch::whole_state() {
  const std::optional<std::uint64_t> memory = memory_.hash();
  if (!memory) return std::nullopt;
  std::uint64_t hash = combine(*memory, scheduler_.operation_count());
  for (std::uint32_t i = 0; i < scheduler_.operation_count(); ++i) {
    const OperationId id{i};
    if (scheduler_.has_ended(id)) continue;
    const std::uint64_t deadline = scheduler_.deadline(id);
    hash = combine(hash, combine(hash_of(scheduler_.next(id)), locals_[i].hash));
    hash = combine(hash, deadline == kNever ? kNever : deadline - std::min(deadline, scheduler_.now()));
    hash = combine(hash, scheduler_.is_enabled(id) ? 1 : 0);
    hash = combine(hash, hash_of_stack(id));
  }
  hash = combine(hash, scheduler_.resource_count());
  for (std::uint32_t i = 0; i < scheduler_.resource_count(); ++i)
    hash = combine(hash, scheduler_.resource(ResourceId{i}).state(scheduler_.links()));
  return hash;
}

void LivelockWatch::explain(Sentence& sentence) const {
  std::uint32_t members = 0;
  for (std::uint32_t i = 0; i < locals_.size(); ++i) members += repetition_.is_member(i);
  std::uint32_t told = 0;
  for (std::uint32_t i = 0; i < locals_.size(); ++i) {
    if (!repetition_.is_member(i)) continue;
    if (told > 0) sentence.add(told + 1 == members ? " and " : ", ");
    sentence.add("T%u", i);
    ++told;
  }
  const auto steps = static_cast<unsigned>(length_);
  sentence.add(members == 1 ? " comes" : " come");
  sentence.add(" back to the same state every %u step%s", steps, steps == 1 ? "" : "s");
}

std::array<const void*, kRepeatedPlaces> LivelockWatch::most_repeated() const {
  PageVector<PlaceCount> sorted;
  for (const PlaceCount& each : places_) sorted.push_back(each);
  std::sort(sorted.begin(), sorted.end(), [](const PlaceCount& a, const PlaceCount& b) {
    return a.steps != b.steps ? a.steps > b.steps : a.place < b.place;
  });
  std::array<const void*, kRepeatedPlaces> most{};
  for (std::size_t i = 0; i < most.size() && i < sorted.size(); ++i) most[i] = sorted[i].place;
  return most;
}

}  // namespace heddle::engine
