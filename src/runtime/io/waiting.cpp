#include "runtime/io/waiting.hpp"

#include <sys/wait.h>

#include <algorithm>

#include "base/raw.hpp"
#include "runtime/environment.hpp"
#include "runtime/front.hpp"
#include "runtime/io/descriptors.hpp"
#include "runtime/io/kernel.hpp"
#include "runtime/io/objects.hpp"
#include "runtime/io/peers.hpp"
#include "runtime/io/timers.hpp"

namespace heddle::runtime::io {
namespace {

using engine::kNever;

constexpr std::size_t kAskedMost = 512;  // in one call: the kernel accepts as many as the process may open
constexpr std::uint64_t kMillisecond = 1'000'000;

// By the rules of the kernel's select.
bool is_ready_for_select(const pollfd& asked) {
  const int seen = asked.revents;
  if ((seen & POLLNVAL) != 0) return true;
  if ((asked.events & POLLIN) != 0 && (seen & (POLLIN | POLLHUP | POLLERR)) != 0) return true;
  if ((asked.events & POLLOUT) != 0 && (seen & (POLLOUT | POLLERR)) != 0) return true;
  return (asked.events & POLLPRI) != 0 && (seen & POLLPRI) != 0;
}

bool is_any_ready(const pollfd* asked, const Wanted& wanted) {
  return std::any_of(asked, asked + wanted.count,
                     [&](const pollfd& one) { return wanted.as_select ? is_ready_for_select(one) : one.revents != 0; });
}

bool is_inside(const Wanted& wanted) {
  if (wanted.lock != nullptr) return is_held_here(*wanted.lock);
  return std::all_of(wanted.descriptors, wanted.descriptors + wanted.count,
                     [](const pollfd& one) { return one.fd < 0 || descriptors.of(one.fd).inside; });
}

/// The children of this process hold the descriptors that it held when they were made.
bool has_children() {
  siginfo_t unused{};
  return kernel(SYS_waitid, long{P_ALL}, 0L, &unused, long{WEXITED | WNOHANG | WNOWAIT}, nullptr) == 0;
}

void append(PageVector<pollfd>& asked, const Wanted& wanted) {
  for (std::uint32_t i = 0; i < wanted.count; ++i)
    asked.push_back({wanted.descriptors[i].fd, wanted.descriptors[i].events, 0});
}

model::Does to_object(const model::Event& event) {
  return model::only_reads(event.kind) ? model::Does::reads : model::Does::writes;
}

void touch_number(int descriptor) {
  front.scheduler().touch_part(model::Footprint::of(reinterpret_cast<const void*>(std::intptr_t{descriptor}),
                                                    model::ResourceKind::descriptor, model::Does::reads));
}

}  // namespace

void touch_object(std::uint32_t object, model::Does does) {
  if (!front.scheduler().collects_footprints()) [[likely]]
    return;
  objects.touch(object, does);
  if (!timers.none()) front.scheduler().touch_clock(model::Does::reads);  // it may be a timer, or watch one
}

void touch_objects(const model::Event& event) {
  if (event.resource == kNoResource || !front.scheduler().collects_footprints()) [[likely]]
    return;
  const auto descriptor = static_cast<int>(reinterpret_cast<std::intptr_t>(front.at(event.resource).address));
  touch_object(descriptors.of(descriptor).object, to_object(event));
}

void touch_all(const Wanted& wanted, const model::Event& event) {
  if (!front.scheduler().collects_footprints()) [[likely]]
    return;
  for (std::uint32_t i = 0; i < wanted.count; ++i) {
    const int descriptor = wanted.descriptors[i].fd;
    if (descriptor < 0) continue;
    touch_number(descriptor);
    touch_object(descriptors.of(descriptor).object, to_object(event));
  }
}

Waiting waiting;

void Waiting::begin(engine::Execution& execution) {
  scheduler_ = &execution.scheduler();
  waits_.clear();
  timers.begin();
  objects.begin();
}

bool Waiting::is_ready(Wanted wanted) {
  if (wanted.lock != nullptr) return is_free(*wanted.lock);
  asked_.clear();
  append(asked_, wanted);
  const long count = poll_now(asked_.data(), wanted.count);
  return count < 0 || (count > 0 && is_any_ready(asked_.data(), wanted));  // the call itself reports errors
}

// Another process needs a moment to answer. How long it takes must not decide which schedules exist. Nor must a
// deadline, which costs nothing in virtual time, always come first. So all operations stand still for that moment.
void Waiting::give_outside_a_moment(const Wanted& wanted) {
  if (is_inside(wanted) || is_ready(wanted) || !is_any_peer_elsewhere(wanted)) return;
  asked_.clear();
  append(asked_, wanted);
  poll_for(asked_.data(), wanted.count, kMomentNs);
}

bool Waiting::stand(model::Event event, Wanted wanted, std::uint64_t deadline) {
  engine::Execution& execution = front.execution();
  use_environment();
  timers.fire(scheduler_->now());
  give_outside_a_moment(wanted);
  for (;;) {
    Wait& mine = waits_.append();
    mine = {execution.self(),  event, wanted, deadline, first_end(wanted, deadline), is_ready(wanted),
            !is_inside(wanted)};
    if (mine.ready)
      execution.step(event);
    else
      execution.step_when_woken(event, mine.stands_until);
    const bool expired = scheduler_->expired();
    remove(execution.self());
    touch_objects(event);
    touch_all(wanted, event);
    if (taken_out_to_cancel()) act_on_cancel();
    if (!expired || is_ready(wanted)) return true;
    if (deadline <= scheduler_->now()) return false;
  }
}

void Waiting::before_close(int descriptor) {
  constexpr long kLowest = 100;  // above the program's own descriptors
  for (Wait& wait : waits_) {
    if (!wait.wanted.is_one_call || wait.wanted.descriptors->fd != descriptor || wait.ready || !is_in_wait(wait))
      continue;
    if (front.execution().choose(2) == 0) continue;
    const long kept = kernel(SYS_fcntl, descriptor, F_DUPFD_CLOEXEC, kLowest);
    if (kept < 0) continue;
    descriptors.copied(descriptor, static_cast<int>(kept));
    wait.wanted.descriptors->fd = static_cast<int>(kept);
  }
}

std::uint64_t Waiting::first_end(const Wanted& wanted, std::uint64_t deadline) const {
  if (timers.none()) return deadline;
  std::uint64_t first = deadline;
  for (std::uint32_t i = 0; i < wanted.count; ++i) {
    const int descriptor = wanted.descriptors[i].fd;
    if (descriptor < 0) continue;
    const std::uint32_t timer = descriptors.of(descriptor).timer;
    first = std::min(first, timer != 0 ? timers.at(timer).end : timers.first_end_in(descriptor));
  }
  return first;
}

void Waiting::remove(OperationId who) {
  for (std::size_t i = 0; i < waits_.size(); ++i)
    if (waits_[i].who == who) {
      waits_.erase(i);
      return;
    }
}

// An operation that was taken out of its wait (by a cancellation) stands elsewhere.
bool Waiting::is_in_wait(const Wait& wait) const { return scheduler_->next(wait.who).kind == wait.event.kind; }

/// True: the operation can go on now, and could not before.
bool Waiting::place(Wait& wait, bool ready) {
  const std::uint64_t until = ready ? kNever : first_end(wait.wanted, wait.deadline);
  const bool was_ready = wait.ready;
  if (ready == was_ready && (ready || until == wait.stands_until)) return false;
  wait.ready = ready;
  wait.stands_until = until;
  if (ready)
    scheduler_->move_on(wait.who, wait.event);
  else
    scheduler_->stand_blocked(wait.who, wait.event, until);
  return ready;
}

/// Asks the kernel about as many waits as fit into one call; returns the first wait that did not fit.
std::size_t Waiting::poll_some(std::size_t first, OperationId picked, bool& moved) {
  asked_.clear();
  std::size_t last = first;
  do append(asked_, waits_[last].wanted);
  while (++last < waits_.size() && asked_.size() + waits_[last].wanted.count <= kAskedMost);
  const long count = poll_now(asked_.data(), static_cast<std::uint32_t>(asked_.size()));
  const pollfd* asked = asked_.data();
  for (std::size_t i = first; i < last; ++i) {
    Wait& wait = waits_[i];
    const bool ready =
        wait.wanted.lock != nullptr ? is_free(*wait.wanted.lock) : count < 0 || is_any_ready(asked, wait.wanted);
    asked += wait.wanted.count;
    if (wait.who != picked && is_in_wait(wait) && place(wait, ready)) moved = true;
  }
  return last;
}

bool Waiting::look_at_all_but(OperationId picked) {
  timers.fire(scheduler_->now());
  bool moved = false;
  for (std::size_t first = 0; first < waits_.size();) first = poll_some(first, picked, moved);
  return moved;
}

void Waiting::time_passed() {
  if (waits_.empty()) return;
  const bool outside = std::any_of(waits_.begin(), waits_.end(), [](const Wait& wait) { return wait.outside; });
  // The operation that was just picked is in the list until it runs.
  if (outside || timers.is_due(scheduler_->now())) look_at_all_but(scheduler_->current());
}

bool Waiting::is_awaited() const {
  const bool shared = !waits_.empty() && has_children();
  return std::any_of(waits_.begin(), waits_.end(), [&](const Wait& wait) {
    if (wait.ready || !is_in_wait(wait)) return false;
    return shared || (!is_inside(wait.wanted) && !are_peers_here(wait.wanted));
  });
}

bool Waiting::wait(std::uint32_t milliseconds) {
  const std::uint64_t until = raw::monotonic_ns() + milliseconds * kMillisecond;
  for (std::uint64_t now = raw::monotonic_ns(); now < until; now = raw::monotonic_ns()) {
    asked_.clear();
    for (const Wait& wait : waits_)
      if (asked_.size() + wait.wanted.count <= kAskedMost) append(asked_, wait.wanted);
    // Short turns: the last waits did not fit, and an unrequested hang-up would make this spin.
    poll_for(asked_.data(), static_cast<std::uint32_t>(asked_.size()), std::min(until - now, 50 * kMillisecond));
    if (look()) return true;
    if (raw::monotonic_ns() - now < kMillisecond) poll_for(nullptr, 0, kMillisecond);
  }
  return false;
}

}  // namespace heddle::runtime::io
