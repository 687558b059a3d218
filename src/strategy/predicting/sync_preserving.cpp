#include "strategy/predicting/sync_preserving.hpp"

namespace heddle::strategy {

void SyncTrace::clear() {
  events_.clear();
  threads_.clear();
  writes_.clear();
  locks_.clear();
  syncs_.clear();
}

void SyncTrace::made(std::uint32_t thread, std::uint32_t maker) {
  at(threads_, thread > maker ? thread : maker);
  threads_[thread].maker = threads_[maker].created;
}

std::uint32_t SyncTrace::add(std::uint32_t thread, SyncKind kind, std::uint32_t object, std::uint32_t maker) {
  const auto event = static_cast<std::uint32_t>(events_.size());
  if (maker != kNone && at(threads_, thread).events == 0) made(thread, maker);
  Thread& mine = at(threads_, thread);
  Event& made = events_.append();
  made.kind = kind;
  made.thread = thread;
  made.object = object;
  made.position = mine.events++;
  made.before = mine.last == kNone ? mine.maker : mine.last;
  // A waiting thread goes on because of something that has happened since at the object it waited for.
  if (mine.last != kNone && (events_[mine.last].kind == SyncKind::sync || events_[mine.last].kind == SyncKind::wait))
    made.needs = syncs_[events_[mine.last].object];
  switch (kind) {
    case SyncKind::create:
      mine.created = event;
      break;
    case SyncKind::join:
      made.source = at(threads_, object).last;
      break;
    case SyncKind::read:
    case SyncKind::write:
    case SyncKind::update: {
      std::uint32_t& write = at(writes_, object);
      if (kind != SyncKind::write) made.source = write - 1;
      if (kind != SyncKind::read) write = event + 1;
      break;
    }
    case SyncKind::acquire:
      made.kind = take(event, object);
      break;
    case SyncKind::release:
      made.kind = give_back(event, object);
      break;
    case SyncKind::sync:
    case SyncKind::wait:
      while (syncs_.size() <= object) syncs_.push_back(kNone);
      made.source = syncs_[object];
      syncs_[object] = event;
      break;
    case SyncKind::step:
    case SyncKind::failed:
      break;
  }
  threads_[thread].last = event;
  return event;
}

void SyncTrace::got(std::uint32_t event, std::uint32_t lock) {
  events_[event].object = lock;
  events_[event].kind = take(event, lock);
}

SyncKind SyncTrace::take(std::uint32_t event, std::uint32_t which) {
  Lock& lock = at(locks_, which);
  if (lock.acquire != kNone) {
    const std::uint32_t holder = events_[lock.acquire].thread;
    const std::uint32_t last = threads_[holder].last;
    if (holder == events_[event].thread && events_[last].kind != SyncKind::wait) {
      ++lock.depth;
      return SyncKind::step;
    }
    events_[lock.acquire].source = last;  // a wait has released it
  }
  lock.acquire = event;
  lock.depth = 0;
  return SyncKind::acquire;
}

SyncKind SyncTrace::give_back(std::uint32_t event, std::uint32_t which) {
  Lock& lock = at(locks_, which);
  if (lock.acquire == kNone) {
    lock.freed = event;
    return SyncKind::step;
  }
  if (lock.depth > 0) {
    --lock.depth;
    return SyncKind::step;
  }
  events_[lock.acquire].source = event;
  lock.acquire = kNone;
  return SyncKind::release;
}

bool SyncTrace::can_meet(std::uint32_t one, std::uint32_t other) {
  for (Thread& thread : threads_) thread.included = 0;
  for (Lock& lock : locks_) lock.included = kNone;
  work_ += threads_.size() + locks_.size();
  wanted_.clear();
  meeting_ = {one, other};
  is_in_vain_ = false;
  for (const std::uint32_t event : meeting_) {
    want(events_[event].before);
    want(events_[event].needs);
  }
  return include_all();
}

bool SyncTrace::is_before_creation(std::uint32_t first, std::uint32_t second) const {
  std::uint32_t maker = threads_[events_[second].thread].maker;
  while (maker != kNone && events_[maker].thread != events_[first].thread)
    maker = threads_[events_[maker].thread].maker;
  return maker != kNone && first <= maker;
}

bool SyncTrace::include_all() {
  while (!wanted_.empty() && !is_in_vain_) {
    std::uint32_t event = wanted_.back();
    wanted_.pop_back();
    Thread& thread = threads_[events_[event].thread];
    const std::uint32_t before = thread.included;
    if (events_[event].position < before) continue;
    thread.included = events_[event].position + 1;
    for (;; event = events_[event].before) {
      if (!include(event) || is_in_vain_) return false;
      if (events_[event].position <= before) break;
    }
  }
  return !is_in_vain_;
}

bool SyncTrace::include(std::uint32_t event) {
  const Event& now = events_[event];
  ++work_;
  if (now.position == 0) want(now.before);
  want(now.needs);
  if (now.kind == SyncKind::failed) return false;
  if (now.kind == SyncKind::acquire) return include_acquire(event);
  want(now.source);
  return true;
}

bool SyncTrace::include_acquire(std::uint32_t event) {
  want(locks_[events_[event].object].freed);
  std::uint32_t& last = locks_[events_[event].object].included;
  std::uint32_t earlier = event;
  if (last == kNone || last < event) {
    earlier = last;
    last = event;
  }
  if (earlier == kNone) return true;
  want(events_[earlier].source);
  return events_[earlier].source != kNone;
}

}  // namespace heddle::strategy
