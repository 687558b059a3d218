#include "bodies.hpp"

#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

namespace choices {
namespace {

/// A value that the strategy chooses. The program does not know heddle: without it the value is 0.
std::uint32_t choose(std::uint32_t bound) {
  using Function = int(std::uint32_t, std::uint32_t*);
  auto* const function = reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, "heddle_choose_integer"));
  std::uint32_t value = 0;
  if (function != nullptr) function(bound, &value);
  return value;
}

struct Turns {
  std::mutex mutex;
  int last = 0;

  void take(int who) {
    const std::lock_guard guard(mutex);
    last = who;
  }
};

void two_threads(Turns& turns) {
  std::thread one([&] { turns.take(1); });
  std::thread two([&] { turns.take(2); });
  one.join();
  two.join();
}

void nothing() {}

void values_alone() { (void)(choose(3) + choose(2)); }

void threads_alone() {
  Turns turns;
  two_threads(turns);
}

/// What the values say decides how many threads there are.
void values_then_threads() {
  Turns turns;
  const bool more = choose(2) == 1;
  if (choose(3) == 2) turns.take(0);
  if (more)
    two_threads(turns);
  else
    std::thread([&] { turns.take(1); }).join();
}

/// Steps that leave no choice come before, between and after the values.
void values_between_steps() {
  Turns turns;
  turns.take(0);
  if (choose(2) == 1) turns.take(0);
  turns.take(0);
  (void)choose(2);
  turns.take(0);
  two_threads(turns);
}

void threads_then_values() {
  Turns turns;
  two_threads(turns);
  if (turns.last == 1) (void)choose(3);
  (void)choose(2);
}

/// Fails with one value and one order.
void fails_by_value() {
  Turns turns;
  const std::uint32_t value = choose(4);
  two_threads(turns);
  if (value == 3 && turns.last == 1) std::abort();
}

/// Which of two waiters a signal wakes.
void waiters() {
  std::mutex mutex;
  std::condition_variable ready;
  int tickets = 0;
  const auto wait = [&] {
    std::unique_lock lock(mutex);
    ready.wait(lock, [&] { return tickets > 0; });
    --tickets;
  };
  std::thread one(wait);
  std::thread two(wait);
  for (int i = 0; i < 2; ++i) {
    const std::lock_guard guard(mutex);
    ++tickets;
    ready.notify_one();
  }
  one.join();
  two.join();
}

/// A deadline, before the first thread and after it.
void timers() {
  std::timed_mutex mutex;
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::thread one([&] {
    if (mutex.try_lock_for(std::chrono::milliseconds(5))) mutex.unlock();
  });
  if (mutex.try_lock_for(std::chrono::milliseconds(5))) mutex.unlock();
  one.join();
}

std::atomic<int> handled{0};

/// Which thread handles a signal of the process.
void signals() {
  handled = 0;
  struct sigaction action {};
  action.sa_handler = [](int) { ++handled; };
  sigaction(SIGUSR1, &action, nullptr);
  raise(SIGUSR1);
  Turns turns;
  std::thread one([&] { turns.take(1); });
  kill(getpid(), SIGUSR1);
  one.join();
}

void descriptors() {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  const auto read_one = [&] {
    char byte;
    if (read(ends[0], &byte, 1) != 1) std::abort();
  };
  std::thread one(read_one);
  std::thread two(read_one);
  for (int i = 0; i < 2; ++i)
    if (write(ends[1], "x", 1) != 1) std::abort();
  pollfd asked{ends[0], POLLIN, 0};
  poll(&asked, 1, 1);
  one.join();
  two.join();
  close(ends[0]);
  close(ends[1]);
}

constexpr Body kBodies[] = {
    {"nothing", nothing},
    {"values-alone", values_alone},
    {"threads-alone", threads_alone},
    {"values-then-threads", values_then_threads},
    {"values-between-steps", values_between_steps},
    {"threads-then-values", threads_then_values},
    {"fails-by-value", fails_by_value},
    {"waiters", waiters},
    {"timers", timers},
    {"signals", signals},
    {"descriptors", descriptors},
};

}  // namespace

std::span<const Body> all() { return kBodies; }

}  // namespace choices
