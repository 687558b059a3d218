// Runs a program by the threads and calls of POSIX. It knows nothing of heddle: where the program touches memory it
// calls a hook, in which a test can ask for a scheduling point.
#pragma once

#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include <array>
#include <cstdint>
#include <vector>

#include "oracle/program.hpp"

namespace heddle::oracle {

struct Hooks {
  void (*step)() = [] {};
  /// Of timed calls, as a date. Under heddle any date may come at any moment.
  timespec (*deadline)() = [] { return timespec{4'000'000'000, 0}; };
  timespec duration = {1'000, 0};  // of sleeps
  std::uint32_t (*choose)(std::uint32_t bound) = [](std::uint32_t) -> std::uint32_t { return 0; };
};

/// Its objects outlive `run`, because threads that it does not join do.
class Threads {
 public:
  Threads(const Program& program, const Hooks& hooks) : program_(program), hooks_(hooks) {}

  void run();
  /// The same on a thread of its own, and to the end of every thread but those that are detached.
  void run_to_the_end();

  /// What the last run left: complete only if all its threads have come to their end.
  std::vector<std::int16_t> values() const;
  /// Of futexes, as they are now.
  const std::array<std::uint32_t, kObjects>& words() const { return words_; }
  /// Of the thread that ended the program: the assertion that failed, or the code of the exit. Of any other it says
  /// what that one was about to do.
  int end_detail(std::size_t thread) const { return end_details_[thread]; }

 private:
  struct Thread {  // what only the thread itself looks at
    int me = 0;
    int value = 0;
    int at = 0;
    timespec clock = {};
    std::array<int, kObjects> depth = {};  // of mutexes that it holds
    std::array<int, kObjects> holds = {};  // of read-write locks
    std::array<bool, kObjects> spins = {};
    std::array<bool, kThreads> mine = {};  // threads that it created, and has neither joined nor detached
    bool ran_once = false;
  };
  struct Start {
    Threads* threads = nullptr;
    int which = 0;
  };

  void begin();
  void run_thread(Thread& self);
  bool passes_over(const Thread& self, const Instruction& next) const;
  int act(Thread& self, const Instruction& now);
  int act_on_memory(Thread& self, const Instruction& now);
  int act_on_mutex(Thread& self, const Instruction& now);
  int act_on_spin(Thread& self, const Instruction& now);
  int act_on_lock(Thread& self, const Instruction& now);
  int act_on_semaphore(const Instruction& now);
  int act_on_condition(Thread& self, const Instruction& now);
  int act_on_once(Thread& self, const Instruction& now);
  int act_on_futex(const Instruction& now);
  int act_on_thread(Thread& self, const Instruction& now);
  int join(Thread& self, const Instruction& now);
  void end_process(Thread& self, const Instruction& now);
  static void* start(void* argument);
  static void once_routine();

  const Program& program_;
  const Hooks hooks_;
  std::array<Start, kThreads> starts_;
  std::array<pthread_t, kThreads> handles_ = {};
  std::array<bool, kThreads> unjoined_ = {};
  std::array<pthread_mutex_t, kObjects> mutexes_;
  std::array<pthread_spinlock_t, kObjects> spins_;
  std::array<pthread_rwlock_t, kObjects> locks_;
  std::array<sem_t, kObjects> semaphores_;
  std::array<pthread_cond_t, kObjects> conditions_;
  std::array<pthread_barrier_t, kObjects> barriers_;
  std::array<pthread_once_t, kObjects> onces_;
  std::array<std::int16_t, kObjects> memory_ = {};
  std::array<std::uint32_t, kObjects> words_ = {};
  std::array<timespec, kObjects> times_ = {};
  std::array<std::array<std::int16_t, kLength>, kThreads> values_ = {};
  std::array<int, kThreads> end_details_ = {};
};

}  // namespace heddle::oracle
