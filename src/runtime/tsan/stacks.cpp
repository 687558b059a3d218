#include "runtime/tsan/stacks.hpp"

#include "engine/execution.hpp"
#include "runtime/front.hpp"
#include "runtime/tsan/library_caller.hpp"
#include "runtime/tsan/place_names.hpp"

namespace heddle::runtime {

void Stacks::begin(bool keeps) {
  keeps_ = keeps;
  innermost_.clear();
  nodes_.clear();
  sites_.clear();
  blocks_.clear();
  held_.begin();
}

std::uint32_t& Stacks::innermost(OperationId id) {
  if (index(id) >= innermost_.size()) innermost_.resize(index(id) + 1);
  return innermost_[index(id)];
}

void Stacks::push(const void* place, std::uintptr_t stack) {
  std::uint32_t& mine = innermost(front.self());
  nodes_.push_back({place, mine, stack});
  mine = static_cast<std::uint32_t>(nodes_.size());
}

void Stacks::pop() {
  std::uint32_t& mine = innermost(front.self());
  if (mine != 0) mine = nodes_[mine - 1].parent;
}

void Stacks::pop_below(std::uintptr_t stack) {
  std::uint32_t& mine = innermost(front.self());
  while (mine != 0 && nodes_[mine - 1].stack < stack) mine = nodes_[mine - 1].parent;
}

/// Two read locks take two unlocks; of a mutex that is locked again, only the last unlock is reported.
void Stacks::hold(ResourceId lock) {
  const bool again = front.at(lock).kind == model::ResourceKind::read_write_lock;
  held_.take(front.self(), lock, front.execution().recorder()->step_count(), again);
}

void Stacks::let_go(ResourceId lock) { held_.give_back(front.self(), lock); }

std::uint32_t Stacks::site_of_request(const void* place, const volatile void* at, std::size_t bytes) {
  return keeps_ ? add_site(place, caller_of_library(place), at, bytes) : low_bits(place);
}

std::uint32_t Stacks::add_site(const void* place, const void* told, const volatile void* at, std::size_t bytes) {
  const OperationId self = front.self();
  const Site site{place, told, reinterpret_cast<std::uintptr_t>(at), bytes, innermost(self), held_.of(self)};
  if (sites_.empty() || !(sites_.back() == site)) sites_.push_back(site);
  return static_cast<std::uint32_t>(sites_.size() - 1);
}

void Stacks::keep_block(std::uint32_t site, OperationId by) {
  if (keeps_) blocks_.push_back({site, by});
}

const void* Stacks::place_of(std::uint32_t site) const { return keeps_ ? sites_[site].place : code_ending_in(site); }

void Stacks::record(OperationId who, AccessKind what, std::uint32_t at) {
  constexpr std::uint32_t kFrames = 48;
  const Site& site = sites_[at];
  const void* frames[kFrames] = {site.told};
  std::uint32_t count = 1;
  for (std::uint32_t node = site.stack; node != 0 && count < kFrames; node = nodes_[node - 1].parent)
    frames[count++] = nodes_[node - 1].place;
  engine::Recorder& recorder = *front.execution().recorder();
  recorder.note_access(who, what, static_cast<std::uint32_t>(site.bytes), frames, count);
  for (std::uint32_t lock = site.locks; lock != 0; lock = held_[lock].before)
    recorder.note_lock(held_[lock].lock, held_[lock].step);
}

void Stacks::record_block(std::uintptr_t address) {
  for (std::size_t i = blocks_.size(); i-- > 0;) {
    const Site& block = sites_[blocks_[i].site];
    if (address - block.address >= block.bytes) continue;
    record(blocks_[i].by, AccessKind::allocate, blocks_[i].site);
    return;
  }
}

}  // namespace heddle::runtime
