#include "runtime/capi/waits.hpp"

namespace heddle::runtime::capi {

void Waits::add(OperationId who, ResourceId what, Until until) {
  if (index(who) >= waiters_.size()) waiters_.resize(index(who) + 1);
  while (index(what) >= first_.size()) first_.push_back(kNone);
  waiters_[index(who)].until = until;
  if (is_waiting(who, what)) return;
  std::uint32_t at = free_;
  if (at == kNone) {
    at = static_cast<std::uint32_t>(entries_.size());
    entries_.push_back({});
  } else {
    free_ = entries_[at].next_of_waiter;
  }
  std::uint32_t& of_waiter = waiters_[index(who)].first;
  std::uint32_t& of_resource = first_[index(what)];
  if (of_resource != kNone) entries_[of_resource].previous_of_resource = at;
  entries_[at] = {who, what, of_waiter, of_resource, kNone};
  of_waiter = at;
  of_resource = at;
}

std::uint32_t Waits::find(OperationId who, ResourceId what) const {
  if (!is_waiting(who)) return kNone;
  std::uint32_t at = waiters_[index(who)].first;
  while (at != kNone && entries_[at].what != what) at = entries_[at].next_of_waiter;
  return at;
}

void Waits::remove(std::uint32_t at) {
  Entry& entry = entries_[at];
  if (entry.next_of_resource != kNone)
    entries_[entry.next_of_resource].previous_of_resource = entry.previous_of_resource;
  if (entry.previous_of_resource != kNone)
    entries_[entry.previous_of_resource].next_of_resource = entry.next_of_resource;
  else
    first_[index(entry.what)] = entry.next_of_resource;

  std::uint32_t* link = &waiters_[index(entry.who)].first;
  while (*link != at) link = &entries_[*link].next_of_waiter;
  *link = entry.next_of_waiter;
  entry.next_of_waiter = free_;
  free_ = at;
}

bool Waits::came(OperationId who, ResourceId what) {
  remove(find(who, what));
  Waiter& waiter = waiters_[index(who)];
  if (waiter.until == Until::all && waiter.first != kNone) return false;
  forget(who);
  waiter.ended_by = what;
  return true;
}

void Waits::forget(OperationId who) {
  while (is_waiting(who)) remove(waiters_[index(who)].first);
}

}  // namespace heddle::runtime::capi
