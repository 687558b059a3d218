// Hundreds of generated programs, run by real threads through the functions of pthreads and by the interpreter of
// programs as data: a systematic search must see the same executions, in the same order, with the same memory at the
// end, and the same first failure.
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <time.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

#include "base/hash.hpp"
#include "base/random.hpp"
#include "runtime/on_both.hpp"
#include "strategy/table.hpp"
#include "support/generate.hpp"
#include "support/interpreter.hpp"
#include "support/program.hpp"

namespace heddle::test {
namespace {

constexpr timespec kFarAway = {4'000'000'000, 0};  // no clock is read: that would let time pass

/// The data has no step for the start of an operation and none for its end, and may create several at once; threads
/// have the ones (this program asks for ends: runtime/pthread/observed_ends.hpp) and cannot do the other. In the
/// program that comes back every operation begins and ends with a step and creates one at a time.
Program as_threads_run_it(const Program& program) {
  Program changed = program;
  changed.one_place_a_kind = true;
  for (auto& actions : changed.operations) {
    std::vector<Action> one_by_one = {heddle::test::step()};
    for (const Action& action : actions) {
      if (action.what != Do::create)
        one_by_one.push_back(action);
      else
        for (std::uint32_t i = 0; i < action.value; ++i) one_by_one.push_back(create(action.object + i));
    }
    one_by_one.push_back(heddle::test::step());
    actions = one_by_one;
  }
  return complete(changed);
}

/// Runs a program by threads. Its objects outlive the body, because detached threads do.
class Threads {
 public:
  explicit Threads(const Program& program)
      : program_(program),
        joined_(program.operations.size()),
        threads_(program.operations.size()),
        mutexes_(program.mutexes.size()),
        semaphores_(program.semaphores.size()),
        barriers_(program.barriers.size()),
        conditions_(program.conditions),
        locks_(program.read_write_locks) {
    for (const auto& actions : program.operations)
      for (const Action& action : actions)
        if (action.what == Do::join) joined_[action.object] = true;
  }

  void run() {
    begin();
    run_operation(0);
  }

  /// The memory at the end of each call of `run`; none of a call that did not come to its end.
  const std::vector<std::optional<Memory>>& ends() const { return ends_; }

 private:
  struct Operation {
    explicit Operation(const Program& program) : depth(program.mutexes.size()), holds(program.read_write_locks) {}
    std::int64_t out = 0;              // its register
    std::vector<std::uint32_t> depth;  // of each mutex
    std::vector<std::uint32_t> holds;  // of each read-write lock
  };
  struct Start {
    Threads* threads;
    std::uint32_t operation;
  };

  void begin() {
    ends_.emplace_back();
    memory_ = program_.memory;
    live_ = 1;
    for (std::size_t i = 0; i < mutexes_.size(); ++i) make_mutex(mutexes_[i], program_.mutexes[i]);
    for (std::size_t i = 0; i < semaphores_.size(); ++i) sem_init(&semaphores_[i], 0, program_.semaphores[i]);
    for (std::size_t i = 0; i < barriers_.size(); ++i)
      pthread_barrier_init(&barriers_[i], nullptr, program_.barriers[i]);
    for (pthread_cond_t& condition : conditions_) pthread_cond_init(&condition, nullptr);
    for (pthread_rwlock_t& lock : locks_) pthread_rwlock_init(&lock, nullptr);
  }

  static void make_mutex(pthread_mutex_t& mutex, model::MutexType type) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type == model::MutexType::recursive        ? PTHREAD_MUTEX_RECURSIVE
                                           : type == model::MutexType::error_checking ? PTHREAD_MUTEX_ERRORCHECK
                                                                                      : PTHREAD_MUTEX_NORMAL);
    pthread_mutex_init(&mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
  }

  void run_operation(std::uint32_t which) {
    Operation operation(program_);
    const auto& actions = program_.operations[which];
    for (std::size_t at = 1; at + 1 < actions.size(); ++at)  // the first is the start of the thread, the last its end
      if (!passes_over(operation, actions[at])) act(operation, actions[at]);
    if (--live_ == 0) ends_.back() = memory_;
  }

  static bool passes_over(const Operation& operation, const Action& action) {
    switch (action.what) {
      case Do::unlock:
        return operation.depth[action.object] == 0;
      case Do::wait:
      case Do::timed_wait:
        return operation.depth[action.other] == 0;
      case Do::read_write_unlock:
        return operation.holds[action.object] == 0;
      default:
        return false;
    }
  }

  void act(Operation& operation, const Action& action) {
    switch (action.what) {
      case Do::lock:
      case Do::try_lock:
      case Do::timed_lock:
        operation.out = lock_mutex(action.what, mutexes_[action.object]);
        operation.depth[action.object] += operation.out == 0 ? 1 : 0;
        return;
      case Do::unlock:
        --operation.depth[action.object];
        pthread_mutex_unlock(&mutexes_[action.object]);
        return;
      case Do::read_lock:
      case Do::try_read_lock:
      case Do::timed_read_lock:
      case Do::write_lock:
      case Do::try_write_lock:
      case Do::timed_write_lock:
        operation.out = lock_read_write(action.what, locks_[action.object]);
        operation.holds[action.object] += operation.out == 0 ? 1 : 0;
        return;
      case Do::read_write_unlock:
        --operation.holds[action.object];
        pthread_rwlock_unlock(&locks_[action.object]);
        return;
      case Do::acquire:
      case Do::try_acquire:
      case Do::timed_acquire:
        operation.out = acquire(action.what, semaphores_[action.object]);
        return;
      case Do::release:
        sem_post(&semaphores_[action.object]);
        return;
      case Do::wait:
        operation.out = pthread_cond_wait(&conditions_[action.object], &mutexes_[action.other]);
        return;
      case Do::timed_wait:
        operation.out = pthread_cond_timedwait(&conditions_[action.object], &mutexes_[action.other], &kFarAway);
        return;
      case Do::signal:
        pthread_cond_signal(&conditions_[action.object]);
        return;
      case Do::broadcast:
        pthread_cond_broadcast(&conditions_[action.object]);
        return;
      case Do::arrive:
        pthread_barrier_wait(&barriers_[action.object]);
        return;
      case Do::create:
        start(action.object);
        return;
      case Do::join:
        pthread_join(threads_[action.object], nullptr);
        return;
      case Do::yield:
        sched_yield();
        return;
      case Do::sleep: {
        const timespec duration = {0, action.value};
        nanosleep(&duration, nullptr);
        return;
      }
      default:
        act_on_memory(operation, action);
        return;
    }
  }

  void act_on_memory(Operation& operation, const Action& action) {
    heddle::step();
    if (action.what == Do::read) operation.out = memory_[action.object];
    if (action.what == Do::write) memory_[action.object] = action.value;
    if (action.what == Do::store) memory_[action.object] = operation.out + action.value;
    if (action.what == Do::choose) operation.out = heddle::choose(action.value);
  }

  static int lock_mutex(Do how, pthread_mutex_t& mutex) {
    if (how == Do::try_lock) return pthread_mutex_trylock(&mutex);
    return how == Do::lock ? pthread_mutex_lock(&mutex) : pthread_mutex_timedlock(&mutex, &kFarAway);
  }

  static int lock_read_write(Do how, pthread_rwlock_t& lock) {
    if (how == Do::read_lock) return pthread_rwlock_rdlock(&lock);
    if (how == Do::write_lock) return pthread_rwlock_wrlock(&lock);
    if (how == Do::try_read_lock) return pthread_rwlock_tryrdlock(&lock);
    if (how == Do::try_write_lock) return pthread_rwlock_trywrlock(&lock);
    return how == Do::timed_read_lock ? pthread_rwlock_timedrdlock(&lock, &kFarAway)
                                      : pthread_rwlock_timedwrlock(&lock, &kFarAway);
  }

  static int acquire(Do how, sem_t& semaphore) {
    const int result = how == Do::acquire       ? sem_wait(&semaphore)
                       : how == Do::try_acquire ? sem_trywait(&semaphore)
                                                : sem_timedwait(&semaphore, &kFarAway);
    return result == 0 ? 0 : errno;
  }

  void start(std::uint32_t which) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    if (!joined_[which]) pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    const auto body = [](void* argument) -> void* {
      const std::unique_ptr<Start> mine(static_cast<Start*>(argument));
      mine->threads->run_operation(mine->operation);
      return nullptr;
    };
    ++live_;
    pthread_create(&threads_[which], &attributes, body, new Start{this, which});
    pthread_attr_destroy(&attributes);
  }

  const Program& program_;
  std::vector<bool> joined_;  // indexed by operation: somebody joins it
  std::vector<pthread_t> threads_;
  std::vector<pthread_mutex_t> mutexes_;
  std::vector<sem_t> semaphores_;
  std::vector<pthread_barrier_t> barriers_;
  std::vector<pthread_cond_t> conditions_;
  std::vector<pthread_rwlock_t> locks_;
  Memory memory_;
  std::uint32_t live_ = 0;
  std::vector<std::optional<Memory>> ends_;
};

struct Expected {
  std::vector<Memory> ends;
  bool fails = false;     // in the last execution
  bool complete = false;  // else: it was stopped, or there are too many
};

Expected interpret(const Program& program, const std::string& strategy, std::uint64_t limit,
                   const engine::Settings& settings) {
  Expected expected;
  const auto parsed = strategy::parse(strategy);
  const std::uint64_t executions = explore(
      program, *parsed.strategy, 1, limit,
      [&](const Result& result) {
        expected.ends.push_back(result.memory);
        expected.fails = result.verdict.is_failure();
        return !expected.fails;
      },
      settings);
  expected.complete = !expected.fails && executions < limit;
  return expected;
}

bool mentions(const Program& program, std::initializer_list<Do> which) {
  for (const auto& actions : program.operations)
    for (const Action& action : actions)
      if (std::find(which.begin(), which.end(), action.what) != which.end()) return true;
  return false;
}

/// How many comparisons are still to be made. Those that fail cost a report each.
struct Wanted {
  int passing;
  int failing;
};

Program any(Random& random) { return generate(random, {4, 5, 2}); }

/// Two or three operations that wait with a timeout, or wake, and then write who they are; few of them deadlock.
Program of_conditions(Random& random) {
  Program program;
  const std::uint32_t operations = 2 + random.below(2);
  program.operations.push_back({create(1, operations)});
  for (std::uint32_t i = 1; i <= operations; ++i) {
    const Action wakes = random.below(2) == 0 ? signal(0) : broadcast(0);
    switch (random.below(4)) {
      case 0:
        program.operations.push_back({wakes});
        break;
      case 1:
        program.operations.push_back({lock(0), wakes, store(0, i), unlock(0)});
        break;
      default:
        program.operations.push_back({lock(0), timed_wait(0, 0, 1), store(0, i), unlock(0)});
        break;
    }
  }
  return program;
}

class Agreement : public OnBoth {
 protected:
  bool is_fast() const { return GetParam() == Executor::carrier; }

  void compare_programs(std::uint64_t seed, const engine::Settings& settings, std::initializer_list<Do> but_not) {
    // Under a sanitizer `make test` says how many are enough; `make soak` has all.
    const bool is_short = std::getenv("HEDDLE_TEST_EXECUTIONS") != nullptr;
    compare_programs(seed, any, settings, but_not, is_fast() && !is_short ? Wanted{200, 10} : Wanted{40, 4});
  }

  void compare_programs(std::uint64_t seed, Program (*make)(Random&), const engine::Settings& settings,
                        std::initializer_list<Do> but_not, const Wanted& wanted) {
    settings_ = settings;
    wanted_ = wanted;
    for (std::uint64_t i = 0; wanted_.passing > 0 || wanted_.failing > 0; ++i) {
      ASSERT_LT(i, 100'000u);
      Random random(combine(seed, i));
      const Program program = as_threads_run_it(make(random));
      if (mentions(program, but_not)) continue;
      SCOPED_TRACE(to_string(program));
      for (const char* strategy : {"dfs", "ipb:bound=1", "idb:bound=2"}) {
        SCOPED_TRACE(strategy);
        compare(program, strategy);
      }
      if (HasFailure()) return;
    }
  }

 private:
  void compare(const Program& program, const std::string& strategy) {
    const std::uint64_t limit = is_fast() ? 2000 : 100;
    const Expected expected = interpret(program, strategy, limit, settings_);
    if (!expected.fails && !expected.complete) return;  // too many
    if (expected.ends.size() < 3) return;               // hardly anything to choose
    int& left = expected.fails ? wanted_.failing : wanted_.passing;
    if (left == 0) return;
    --left;
    compare(program, strategy, limit, expected);
  }

  void compare(const Program& program, const std::string& strategy, std::uint64_t limit, const Expected& expected) {
    heddle::Options how = options(strategy);
    how.executions = limit;
    how.time_policy = settings_.time == engine::TimePolicy::patient ? TimePolicy::patient : TimePolicy::choice;
    how.choose_waiter = settings_.choose_waiter;
    how.spurious_wakeups = settings_.spurious_wakeups;
    how.allow = {"two-mutexes"};  // the data does not mind
    Threads threads(program);
    const heddle::Result result = try_explore([&] { threads.run(); }, how);
    EXPECT_EQ(result.executions, expected.ends.size());
    EXPECT_EQ(result.bug_found, expected.fails) << result.report;
    EXPECT_EQ(result.complete, expected.complete);
    if (result.bug_found) {
      const bool is_relock = result.message.find("[relock]") != std::string::npos;  // of the data, a deadlock
      EXPECT_TRUE(result.verdict == "deadlock" || result.verdict == "lost-wakeup" ||
                  result.verdict == "leaked-thread" || is_relock)
          << result.report;
    }
    const std::size_t passed = expected.ends.size() - (expected.fails ? 1 : 0);
    for (std::size_t i = 0; i < passed && i < result.executions; ++i)
      EXPECT_EQ(threads.ends().at(i + 1), expected.ends[i]) << "execution " << i + 1;  // the first is not counted
  }

  engine::Settings settings_;
  Wanted wanted_ = {};
};
INSTANTIATE_TEST_SUITE_P(On, Agreement, testing::Values(Executor::carrier, Executor::baton), name_of);

TEST_P(Agreement, WhenTimeIsAChoice) { compare_programs(1, {}, {}); }

TEST_P(Agreement, WhenTheFirstWaiterWakes) { compare_programs(2, {.choose_waiter = false}, {}); }

TEST_P(Agreement, OfConditions) {
  compare_programs(5, of_conditions, {}, {}, is_fast() ? Wanted{100, 0} : Wanted{20, 0});
}

// Deadlines are given as dates; to read a clock would let time pass, which the data does not know.
TEST_P(Agreement, WhenTimeIsPatient) {
  compare_programs(3, {.time = engine::TimePolicy::patient},
                   {Do::timed_lock, Do::timed_read_lock, Do::timed_write_lock, Do::timed_acquire, Do::timed_wait});
}

// Whether a timed wait that nobody signalled has timed out is a choice of the threads that the data does not make.
TEST_P(Agreement, WithSpuriousWakeups) { compare_programs(4, {.spurious_wakeups = true}, {Do::timed_wait}); }

}  // namespace
}  // namespace heddle::test
