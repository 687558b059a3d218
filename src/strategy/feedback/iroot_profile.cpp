#include "strategy/feedback/iroot_profile.hpp"

#include "base/hash.hpp"

namespace heddle::strategy {

using model::EventKind;

void IRootProfile::begin() {
  fork_join_.begin();
  held_.begin();
  operation_names_.begin();
  lock_names_.begin();
  operations_.clear();
  touched_.clear();
  ++execution_;
}

void IRootProfile::step(const ScheduleView& view, OperationId who) {
  fork_join_.step(view, who);
  const EventKind kind = view.next(who).kind;
  if (model::gives_back(kind) || kind == EventKind::wait) ++state(who).given_back;
  held_.step(view, who);
}

void IRootProfile::access(const ScheduleView& view, OperationId who, IRoot::Site site, std::uint32_t resource,
                          bool is_shared) {
  const LockSet locks = locks_of(view, who);
  const std::uint32_t access = note(view, who, site, resource, locks);
  if (access == kNone || !is_shared) return;
  Operation& mine = state(who);
  const Recent now{access, locks, mine.given_back};
  note_pairs(mine, now);
  mine.recent[mine.accesses++ % kWindow] = now;
}

IRootProfile::Operation& IRootProfile::state(OperationId who) {
  if (operations_.size() <= index(who)) operations_.resize(index(who) + 1);
  return operations_[index(who)];
}

IRootProfile::Resource& IRootProfile::of(std::uint32_t resource) {
  if (resources_.size() <= resource) resources_.resize(resource + 1);
  return resources_[resource];
}

/// Includes the lock that the operation is about to take.
IRootProfile::LockSet IRootProfile::locks_of(const ScheduleView& view, OperationId who) {
  LockSet locks = 0;
  held_.for_each(view, who, [&](ResourceId lock) {
    if (HeldLocks::is_exclusive(view.resource(lock), who)) locks |= bit(lock_names_(view, lock));
  });
  const model::Event& event = view.next(who);
  if (event.kind == EventKind::lock || event.kind == EventKind::relock) locks |= bit(lock_names_(view, event.resource));
  return locks;
}

IRootProfile::LockSet IRootProfile::bit(std::uint32_t lock) { return lock < 64 ? LockSet{1} << lock : 0; }

std::uint32_t IRootProfile::note(const ScheduleView& view, OperationId who, IRoot::Site site, std::uint32_t resource,
                                 LockSet locks) {
  const std::uint32_t name = operation_names_(view, who);
  const std::uint64_t key = combine(mix(std::uint64_t{name} << 32 | site), resource);
  std::uint32_t which = access_names_.find(key);
  if (which == Interned::kUnknown) {
    if (accesses_.size() == kMax || has_enough_alike(site, resource)) return kNone;
    which = access_names_(key);
    Access& made = accesses_.append();
    made.who = name;
    made.site = site;
    made.resource = resource;
    made.does = model::row(view.next(who).kind).does;
    made.next = of(resource).accesses;
    of(resource).accesses = which;
  }
  Access& access = accesses_[which];
  access.locks &= locks;
  access.last = fork_join_.now(who);
  if (access.execution != execution_) {
    access.execution = execution_;
    access.first = access.last;
    touched_.push_back(which);
  }
  return which;
}

/// If not, there is one more.
bool IRootProfile::has_enough_alike(IRoot::Site site, std::uint32_t resource) {
  const std::uint32_t alike = alike_names_(std::uint64_t{site} << 32 | resource);
  if (alike_.size() <= alike) alike_.resize(alike + 1);
  if (alike_[alike] == kAlike) return true;
  ++alike_[alike];
  return false;
}

void IRootProfile::note_pairs(Operation& mine, const Recent& now) {
  for (std::uint32_t i = 0; i < kWindow && i < mine.accesses; ++i) {
    const Recent& before = mine.recent[i];
    const std::uint64_t key = std::uint64_t{before.access} << 32 | now.access;
    const bool is_full = pairs_.size() == kMax;
    const std::uint32_t which = is_full ? pair_names_.find(key) : pair_names_(key);
    if (which == Interned::kUnknown) continue;
    if (which == pairs_.size()) {
      Resource& first = of(accesses_[before.access].resource);
      pairs_.push_back({before.access, now.access, ~LockSet{0}, first.pairs});
      first.pairs = which;
    }
    pairs_[which].locks &= before.given_back == now.given_back ? before.locks : 0;
  }
}

void IRootProfile::end(IRoots& roots) {
  for (const std::uint32_t access : touched_) predict_orders(access, roots);
  for (; combined_ < pairs_.size(); ++combined_) {
    const Pair& pair = pairs_[combined_];
    predict_atomicity(pair, roots);
    const std::uint32_t first = accesses_[pair.first].resource;
    const std::uint32_t second = accesses_[pair.second].resource;
    combine_with_all(pair, first, roots);
    if (second != first) combine_with_all(pair, second, roots);
  }
}

/// Combines the pair with the earlier pairs that begin at this resource.
void IRootProfile::combine_with_all(const Pair& pair, std::uint32_t resource, IRoots& roots) {
  std::uint32_t looked_at = 0;
  for (std::uint32_t i = of(resource).pairs; i != kNone && looked_at < kLookedAt; i = pairs_[i].next) {
    if (i >= combined_) continue;
    ++looked_at;
    combine_pairs(pair, pairs_[i], roots);
    combine_pairs(pairs_[i], pair, roots);
  }
}

bool IRootProfile::conflict(std::uint32_t a, std::uint32_t b) const {
  const Access& one = accesses_[a];
  const Access& other = accesses_[b];
  return one.who != other.who && one.resource == other.resource && model::conflict(one.does, other.does);
}

/// Predicts this access before another.
void IRootProfile::predict_orders(std::uint32_t access, IRoots& roots) {
  const Access& first = accesses_[access];
  std::uint32_t looked_at = 0;
  for (std::uint32_t i = of(first.resource).accesses; i != kNone && looked_at++ < kLookedAt; i = accesses_[i].next) {
    const Access& second = accesses_[i];
    if (second.execution != execution_ || !conflict(access, i)) continue;
    if (!fork_join_.is_before(second.last, first.first)) roots.predict({1, first.site, second.site});
  }
}

void IRootProfile::predict_atomicity(const Pair& pair, IRoots& roots) {
  const Access& a1 = accesses_[pair.first];
  const Access& a2 = accesses_[pair.second];
  if (a1.resource != a2.resource) return;
  std::uint32_t looked_at = 0;
  for (std::uint32_t i = of(a1.resource).accesses; i != kNone && looked_at++ < kLookedAt; i = accesses_[i].next) {
    const Access& b = accesses_[i];
    if (!conflict(pair.first, i) || !conflict(i, pair.second)) continue;
    if ((pair.locks & b.locks) == 0) roots.predict({2, a1.site, b.site, b.site, a2.site});
  }
}

/// `mine` has a1 and a2, `other` has b1 and b2.
void IRootProfile::combine_pairs(const Pair& mine, const Pair& other, IRoots& roots) {
  const Access& a1 = accesses_[mine.first];
  const Access& a2 = accesses_[mine.second];
  const Access& one = accesses_[other.first];
  const Access& two = accesses_[other.second];
  const bool is_one_resource = a1.resource == a2.resource;
  if (conflict(mine.first, other.first) && conflict(other.second, mine.second) &&
      (mine.locks & (one.locks | two.locks)) == 0)
    roots.predict({is_one_resource ? 3u : 4u, a1.site, one.site, two.site, a2.site});
  else if (!is_one_resource && conflict(mine.first, other.second) && conflict(other.first, mine.second) &&
           (mine.locks & other.locks) == 0)
    roots.predict({5, a1.site, two.site, one.site, a2.site});
}

}  // namespace heddle::strategy
