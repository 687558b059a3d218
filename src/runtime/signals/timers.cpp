// Timers: alarm, setitimer and timer_create, on virtual time.
//
// A timer that was ever armed is an operation of its own, which sleeps until the timer expires, sends its signal (or
// starts its thread) and sleeps again. So it expires as every sleep does: when the strategy decides or, if time is
// patient, when no other operation can go on. It serves the others, that is, an execution ends without it. A timer
// whose signal would end the program is there in case the program hangs. heddle detects that by itself, and lets such a
// timer expire only when virtual time has really come that far.
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/front.hpp"
#include "runtime/libc/virtual_time.hpp"
#include "runtime/real.hpp"
#include "runtime/signals/signals.hpp"

using namespace heddle;
using namespace heddle::runtime;
using model::EventKind;

HEDDLE_REAL(alarm);
HEDDLE_REAL(ualarm);
HEDDLE_REAL(setitimer);
HEDDLE_REAL(getitimer);
HEDDLE_REAL(timer_create);
HEDDLE_REAL(timer_settime);
HEDDLE_REAL(timer_gettime);
HEDDLE_REAL(timer_getoverrun);
HEDDLE_REAL(timer_delete);

namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

struct Timer {
  OperationId operation = kNoOperation;  // kNoOperation: never armed
  clockid_t clock = CLOCK_REALTIME;
  sigevent what{};
  std::uint64_t deadline = engine::kNever;
  std::uint64_t interval = 0;
  bool exists = false;
};

constexpr std::size_t kAlarm = 0;  // the timer of alarm and of ITIMER_REAL
constexpr std::size_t kVirtual = 1;
constexpr std::size_t kProfile = 2;
constexpr std::size_t kFirstCreated = 3;

PageVector<Timer> timers;
std::uint64_t execution = 0;  // that these timers belong to

int failed(int error) {
  errno = error;
  return -1;
}

Timer& timer_at(std::size_t index) {
  if (execution != front.execution_number()) {
    execution = front.execution_number();
    timers.clear();
    timers.resize(kFirstCreated);
    constexpr int kSignals[] = {SIGALRM, SIGVTALRM, SIGPROF};
    for (std::size_t i = 0; i < kFirstCreated; ++i) {
      timers[i].what.sigev_notify = SIGEV_SIGNAL;
      timers[i].what.sigev_signo = kSignals[i];
      timers[i].exists = true;
    }
  }
  return timers[index];
}

void* run_notification(void* packed) {
  const sigevent& what = timers[reinterpret_cast<std::uintptr_t>(packed)].what;
  what.sigev_notify_function(what.sigev_value);
  return nullptr;
}

void notify(std::size_t index) {
  const sigevent what = timers[index].what;
  if (what.sigev_notify == SIGEV_THREAD) {
    front.start_thread(run_notification, reinterpret_cast<void*>(index), true);
  } else if (what.sigev_notify == SIGEV_SIGNAL) {
    siginfo_t info{};
    info.si_code = SI_TIMER;
    info.si_value = what.sigev_value;
    signals.send(what.sigev_signo, info, kNoOperation);
  }
}

model::Event sleeping() { return event(EventKind::sleep, kNoResource, nullptr); }

/// The operation of a timer. It begins when the timer first expires.
void live(void* packed) {
  const auto index = reinterpret_cast<std::uintptr_t>(packed);
  for (;;) {
    Timer& timer = timers[index];
    timer.deadline = timer.interval == 0 ? engine::kNever : front.scheduler().look_at_clock() + timer.interval;
    notify(index);
    front.execution().step_when_woken(sleeping(), timers[index].deadline);
  }
}

bool would_end_the_program(const sigevent& what) {
  if (what.sigev_notify != SIGEV_SIGNAL) return false;
  const struct sigaction action = signals.action(what.sigev_signo);
  return action.sa_handler == SIG_DFL && (signals.mask() & only(what.sigev_signo)) == 0;
}

void arm(std::size_t index, std::uint64_t deadline, std::uint64_t interval) {
  timers[index].deadline = deadline;
  timers[index].interval = interval;
  if (timers[index].operation == kNoOperation) {
    if (deadline == engine::kNever) return;
    const auto made = front.execution().create({live, reinterpret_cast<void*>(index)}, true);
    if (made.operation == kNoOperation) return;
    front.scheduler().make_service(made.operation);
    timers[index].operation = made.operation;
  }
  const OperationId operation = timers[index].operation;
  front.scheduler().set_patient(operation, would_end_the_program(timers[index].what));
  front.scheduler().stand_blocked(operation, sleeping(), deadline);
}

std::uint64_t left(const Timer& timer) {
  if (timer.deadline == engine::kNever) return 0;
  const std::uint64_t now = front.scheduler().look_at_clock();
  return timer.deadline > now ? timer.deadline - now : 1;
}

std::uint64_t nanoseconds(const timeval& time) {
  return static_cast<std::uint64_t>(time.tv_sec) * kSecond + static_cast<std::uint64_t>(time.tv_usec) * 1000;
}

std::uint64_t nanoseconds(const timespec& time) {
  return static_cast<std::uint64_t>(time.tv_sec) * kSecond + static_cast<std::uint64_t>(time.tv_nsec);
}

timeval as_timeval(std::uint64_t ns) {
  return {static_cast<time_t>(ns / kSecond), static_cast<suseconds_t>(ns % kSecond / 1000)};
}

timespec as_timespec(std::uint64_t ns) { return {static_cast<time_t>(ns / kSecond), static_cast<long>(ns % kSecond)}; }

bool is_valid(const timespec& time) {
  return time.tv_sec >= 0 && time.tv_nsec >= 0 && static_cast<std::uint64_t>(time.tv_nsec) < kSecond;
}

void step(const void* place) { front.execution().step(event(EventKind::set_signals, signals.resource(), place)); }

/// Returns the remaining time in ns.
std::uint64_t set_alarm(std::uint64_t after, std::uint64_t interval, const void* place) {
  step(place);
  const std::uint64_t before = left(timer_at(kAlarm));
  arm(kAlarm, after == 0 ? engine::kNever : front.scheduler().look_at_clock() + after, interval);
  return before;
}

std::size_t index_of(int which) {
  return which == ITIMER_REAL ? kAlarm : which == ITIMER_VIRTUAL ? kVirtual : kProfile;
}

/// Created timers are named by their index, which no valid pointer equals.
timer_t name_of(std::size_t index) { return reinterpret_cast<timer_t>(index); }

Timer* created(timer_t name) {
  timer_at(kAlarm);
  const auto index = reinterpret_cast<std::uintptr_t>(name);
  return index >= kFirstCreated && index < timers.size() && timers[index].exists ? &timers[index] : nullptr;
}

itimerspec setting(const Timer& timer) { return {as_timespec(timer.interval), as_timespec(left(timer))}; }

}  // namespace

HEDDLE_EXPORT unsigned alarm(unsigned seconds) noexcept {
  if (!is_controlled()) return real_alarm(seconds);
  return static_cast<unsigned>((set_alarm(seconds * kSecond, 0, HEDDLE_CALL_PLACE) + kSecond - 1) / kSecond);
}

HEDDLE_EXPORT useconds_t ualarm(useconds_t after, useconds_t interval) noexcept {
  if (!is_controlled()) return real_ualarm(after, interval);
  return static_cast<useconds_t>(
      set_alarm(std::uint64_t{after} * 1000, std::uint64_t{interval} * 1000, HEDDLE_CALL_PLACE) / 1000);
}

// A timer that counts processor time can be set, but never expires.
HEDDLE_EXPORT int setitimer(__itimer_which_t which, const itimerval* wanted, itimerval* old) noexcept {
  if (!is_controlled()) return real_setitimer(which, wanted, old);
  step(HEDDLE_CALL_PLACE);
  const std::size_t index = index_of(static_cast<int>(which));
  const Timer before = timer_at(index);
  const itimerval shown = {as_timeval(before.interval), as_timeval(left(before))};
  if (wanted != nullptr) {
    const std::uint64_t after = nanoseconds(wanted->it_value);
    const std::uint64_t deadline = after == 0 ? engine::kNever : front.scheduler().look_at_clock() + after;
    if (index == kAlarm) {
      arm(index, deadline, nanoseconds(wanted->it_interval));
    } else {
      timers[index].deadline = deadline;
      timers[index].interval = nanoseconds(wanted->it_interval);
    }
  }
  if (old != nullptr) *old = shown;
  return 0;
}

HEDDLE_EXPORT int getitimer(__itimer_which_t which, itimerval* result) noexcept {
  if (!is_controlled()) return real_getitimer(which, result);
  const Timer& timer = timer_at(index_of(static_cast<int>(which)));
  *result = {as_timeval(timer.interval), as_timeval(left(timer))};
  return 0;
}

HEDDLE_EXPORT int timer_create(clockid_t clock, sigevent* __restrict what, timer_t* __restrict name) noexcept {
  if (!is_controlled()) return real_timer_create(clock, what, name);
  if (what != nullptr && what->sigev_notify != SIGEV_SIGNAL && what->sigev_notify != SIGEV_THREAD &&
      what->sigev_notify != SIGEV_NONE)
    return failed(what->sigev_notify == SIGEV_THREAD_ID ? ENOTSUP : EINVAL);
  timer_at(kAlarm);
  Timer& timer = timers.append();
  timer.clock = clock;
  timer.exists = true;
  *name = name_of(timers.size() - 1);
  if (what != nullptr) {
    timer.what = *what;
  } else {
    timer.what.sigev_notify = SIGEV_SIGNAL;
    timer.what.sigev_signo = SIGALRM;
    timer.what.sigev_value.sival_ptr = *name;
  }
  return 0;
}

HEDDLE_EXPORT int timer_settime(timer_t name, int flags, const itimerspec* __restrict wanted,
                                itimerspec* __restrict old) noexcept {
  if (!is_controlled()) return real_timer_settime(name, flags, wanted, old);
  step(HEDDLE_CALL_PLACE);
  Timer* timer = created(name);
  if (timer == nullptr || !is_valid(wanted->it_value) || !is_valid(wanted->it_interval)) return failed(EINVAL);
  const itimerspec before = setting(*timer);
  std::uint64_t deadline = engine::kNever;
  if (nanoseconds(wanted->it_value) != 0)
    deadline = (flags & TIMER_ABSTIME) != 0 ? deadline_at(timer->clock, &wanted->it_value).time
                                            : deadline_after(&wanted->it_value).time;
  arm(reinterpret_cast<std::uintptr_t>(name), deadline, nanoseconds(wanted->it_interval));
  if (old != nullptr) *old = before;
  return 0;
}

HEDDLE_EXPORT int timer_gettime(timer_t name, itimerspec* result) noexcept {
  if (!is_controlled()) return real_timer_gettime(name, result);
  const Timer* timer = created(name);
  if (timer == nullptr) return failed(EINVAL);
  *result = setting(*timer);
  return 0;
}

HEDDLE_EXPORT int timer_getoverrun(timer_t name) noexcept {
  if (!is_controlled()) return real_timer_getoverrun(name);
  return created(name) != nullptr ? 0 : failed(EINVAL);
}

HEDDLE_EXPORT int timer_delete(timer_t name) noexcept {
  if (!is_controlled()) return real_timer_delete(name);
  step(HEDDLE_CALL_PLACE);
  Timer* timer = created(name);
  if (timer == nullptr) return failed(EINVAL);
  timer->exists = false;
  arm(reinterpret_cast<std::uintptr_t>(name), engine::kNever, 0);
  return 0;
}
