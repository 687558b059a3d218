#include "strategy/predicting/lock_rings.hpp"

#include "base/hash.hpp"
#include "model/dependence.hpp"

namespace heddle::strategy {

void LockRings::learn(const Edge& edge, std::uint32_t who, std::span<const std::uint32_t> alone, std::uint64_t what) {
  const std::uint64_t shape = std::uint64_t{edge.held} << 32 | edge.wanted;
  const std::uint64_t key = combine(mix(shape), what << 2 | only_looks(edge.has) << 1 | only_looks(edge.wants));
  const std::uint32_t known = edges_.size() < kEdgesMax ? edge_names_(key) : edge_names_.find(key);
  if (known == Interned::kUnknown) return;
  if (known == edges_.size()) add(edge, alone);
  Known& it = edges_[known];
  for (std::uint32_t i = 0; i < it.who_count; ++i)
    if (it.who[i] == who) return;
  if (it.who_count == kWhoMax) return;
  it.who[it.who_count++] = who;
  if (!it.is_new) new_.push_back(known);
  it.is_new = true;
}

void LockRings::add(const Edge& edge, std::span<const std::uint32_t> alone) {
  Known& made = edges_.append();
  static_cast<Edge&>(made) = edge;
  made.first_alone = static_cast<std::uint32_t>(alone_.size());
  made.alone_count = static_cast<std::uint32_t>(alone.size());
  for (const std::uint32_t lock : alone) alone_.push_back(lock);
  made.next = at(from_, edge.held);
  from_[edge.held] = static_cast<std::uint32_t>(edges_.size());
}

bool LockRings::waits_for(const Edge& one, const Edge& other) {
  return one.wanted == other.held && model::conflict(one.wants, other.has);
}

// --- the search ------------------------------------------------------------------------------------------------------

void LockRings::search() {
  for (const std::uint32_t length : kLengths) {
    looks_ = 0;
    for (const std::uint32_t edge : new_) seek(edge, length);
  }
  for (const std::uint32_t edge : new_) edges_[edge].is_new = false;
  new_.clear();
}

/// Goes through all paths from this edge, the deepest first.
void LockRings::seek(std::uint32_t edge, std::uint32_t length) {
  length_ = length;
  if (!join(edge)) return;
  while (!path_.empty())
    if (!extend()) leave();
}

/// Looks at the next edge from where the path ends. False: there is none.
bool LockRings::extend() {
  Branch& end = path_.back();
  if (end.next == 0 || ++looks_ > kLooksMax) return false;
  const std::uint32_t edge = end.next - 1;
  end.next = edges_[edge].next;
  if (!waits_for(edges_[end.edge], edges_[edge])) return true;
  if (edge == path_[0].edge)
    close();
  else if (path_.size() < length_)
    join(edge);
  return true;
}

/// The path goes on with the edge, unless it has been there or an edge of the path excludes it.
bool LockRings::join(std::uint32_t edge) {
  const Known& it = edges_[edge];
  if (at(is_passed_, it.held) != 0 || (it.who_count == 1 && at(is_taken_, it.who[0]) != 0)) return false;
  for (std::uint32_t i = 0; i < it.alone_count; ++i)
    if (at(is_held_, alone_[it.first_alone + i]) != 0) return false;
  mark(edge, true);
  path_.push_back({edge, at(from_, it.wanted)});
  return true;
}

void LockRings::leave() {
  mark(path_.back().edge, false);
  path_.pop_back();
}

void LockRings::mark(std::uint32_t edge, bool on) {
  const Known& it = edges_[edge];
  is_passed_[it.held] = on;
  if (it.who_count == 1) is_taken_[it.who[0]] = on;
  for (std::uint32_t i = 0; i < it.alone_count; ++i) is_held_[alone_[it.first_alone + i]] = on;
}

/// The path is a ring. An edge from any file to any file forms one with itself, of two operations.
void LockRings::close() {
  const bool is_twice = path_.size() == 1;
  if (is_twice && edges_[path_[0].edge].alone_count > 0) return;
  if (is_twice) path_.push_back(path_[0]);
  keep_ring();
  if (is_twice) path_.pop_back();
}

void LockRings::keep_ring() {
  std::uint64_t key = 0;
  for (const Branch& branch : path_) {
    const Edge& edge = edges_[branch.edge];
    const std::uint64_t locks = mix(std::uint64_t{edge.held} << 32 | edge.wanted);
    key += combine(locks, only_looks(edge.has) << 1 | only_looks(edge.wants));
  }
  if (rings_.size() == kRingsMax || ring_names_.find(key) != Interned::kUnknown || !have_different_operations()) return;
  ring_names_(key);
  rings_.push_back(
      {.first = static_cast<std::uint32_t>(members_.size()), .size = static_cast<std::uint32_t>(path_.size())});
  for (const Branch& branch : path_) members_.push_back(branch.edge);
}

/// Can each edge of the path be that of another operation? A matching, by augmenting paths.
bool LockRings::have_different_operations() {
  member_of_.clear();
  looked_at_in_.clear();
  round_ = 0;
  for (std::uint32_t i = 0; i < path_.size(); ++i) {
    ++round_;
    if (edges_[path_[i].edge].who_count < kWhoMax && !find_operation(i)) return false;
  }
  return true;
}

bool LockRings::find_operation(std::uint32_t member) {
  const Known& edge = edges_[path_[member].edge];
  for (std::uint32_t i = 0; i < edge.who_count; ++i) {
    const std::uint32_t who = edge.who[i];
    if (at(looked_at_in_, who) == round_) continue;
    looked_at_in_[who] = round_;
    const std::uint32_t other = at(member_of_, who);
    if (other != 0 && !find_operation(other - 1)) continue;
    member_of_[who] = member + 1;
    return true;
  }
  return false;
}

// --- the rings -------------------------------------------------------------------------------------------------------

std::size_t LockRings::next() const {
  std::size_t best = kNone;
  for (std::size_t i = 0; i < rings_.size(); ++i) {
    const Ring& ring = rings_[i];
    if (ring.closed || ring.tries >= kTries) continue;
    if (best == kNone || ring.tries < rings_[best].tries ||
        (ring.tries == rings_[best].tries && ring.size < rings_[best].size))
      best = i;
  }
  return best;
}

void LockRings::aim_at(std::size_t which) {
  aim_.clear();
  if (which == kNone) return;
  const Ring& ring = rings_[which];
  for (std::uint32_t i = 0; i < ring.size; ++i) {
    const Edge& edge = edges_[members_[ring.first + i]];
    at(aim_, edge.wanted) = edge.held + 1;
  }
}

}  // namespace heddle::strategy
