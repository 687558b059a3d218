// The cost of the scheduling kernel: a scheduling point, the Nekara paper's example, the baton, and how a step scales.
//
// Every figure is the best of several rounds. A ratio compares two things measured alternately in the same run, because
// the machine is shared, and what disturbs one round disturbs its neighbour. The bare switch is Boost.Context's with
// one write of the FS base, which is the least that a switch between threads of one carrier can cost.
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <boost/context/detail/fcontext.hpp>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <heddle/heddle.hpp>

#include "figures.hpp"
#include "kernel_programs.hpp"

namespace {

namespace context = boost::context::detail;

std::uintptr_t thread_pointer;

void write_thread_pointer() { asm volatile("wrfsbase %0" ::"r"(thread_pointer) : "memory"); }

void bounce(context::transfer_t from) {
  for (;;) {
    write_thread_pointer();
    from = context::jump_fcontext(from.fctx, nullptr);
  }
}

double bare_switch_ns() {
  constexpr int kSwitches = 2'000'000;
  thread_pointer = reinterpret_cast<std::uintptr_t>(__builtin_thread_pointer());
  std::vector<char> stack(64 * 1024);
  context::transfer_t other{context::make_fcontext(stack.data() + stack.size(), stack.size(), bounce), nullptr};
  return bench::nanoseconds([&] {
           for (int i = 0; i < kSwitches / 2; ++i) {
             write_thread_pointer();
             other = context::jump_fcontext(other.fctx, nullptr);
           }
         }) /
         kSwitches;
}

/// A word that one thread waits on and another sets: the least that handing over between OS threads can cost.
class Word {
 public:
  void set() {
    value_.store(1, std::memory_order_release);
    syscall(SYS_futex, &value_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  }
  void wait() {
    while (value_.load(std::memory_order_acquire) == 0)
      syscall(SYS_futex, &value_, FUTEX_WAIT_PRIVATE, 0, nullptr, nullptr, 0);
    value_.store(0, std::memory_order_relaxed);
  }

 private:
  std::atomic<std::uint32_t> value_{0};
};

double futex_hand_over_ns() {
  constexpr int kRounds = 5'000;
  Word mine, theirs;
  std::thread other([&] {
    for (int i = 0; i < kRounds; ++i) {
      theirs.wait();
      mine.set();
    }
  });
  const double ns = bench::nanoseconds([&] {
    for (int i = 0; i < kRounds; ++i) {
      theirs.set();
      mine.wait();
    }
  });
  other.join();
  return ns / (2.0 * kRounds);
}

heddle::Options quietly(std::uint64_t executions, heddle::Executor executor = heddle::Executor::carrier) {
  heddle::Options options;
  options.strategy = "random";
  options.executions = executions;
  options.points = "sync";  // by default some executions have more: what comes after a release is a step as well
  options.executor = executor;
  options.output = heddle::Output::quiet;
  options.trace_directory.clear();
  return options;
}

struct Cost {
  double per_second;  // executions
  double ns_per_step;
};

Cost cost_of(const heddle::Body& body, const heddle::Options& options) {
  heddle::Result result;
  const double ns = bench::nanoseconds([&] { result = heddle::explore(body, options); });
  return {static_cast<double>(result.executions) * 1e9 / ns, ns / static_cast<double>(result.steps)};
}

/// Two operations that step `rounds` times while `blocked` others wait, each for a lock of its own that the body holds.
heddle::Body crowd(int blocked, int rounds) {
  return [blocked, rounds] {
    std::vector<std::mutex> gates(static_cast<std::size_t>(blocked));
    std::vector<std::thread> waiting;
    for (std::mutex& gate : gates) {
      gate.lock();
      waiting.emplace_back([&gate] { const std::lock_guard pass(gate); });
    }
    const auto run = [rounds] {
      std::mutex lock;
      for (int i = 0; i < rounds; ++i) {
        lock.lock();
        lock.unlock();
      }
    };
    std::thread other(run);
    run();
    other.join();
    for (std::mutex& gate : gates) gate.unlock();
    for (std::thread& thread : waiting) thread.join();
  };
}

/// What one more step costs while so many wait: the difference of two runs, so that making the crowd does not count.
double step_among(int blocked) {
  constexpr int kFew = 100;
  constexpr int kMany = 50'000;
  constexpr double kRuns = 4;  // that count; heddle makes one more before
  heddle::Options options = quietly(static_cast<std::uint64_t>(kRuns));
  options.steps_max = 10 * kMany;
  heddle::Result few, many;
  const double short_ns = bench::nanoseconds([&] { few = heddle::explore(crowd(blocked, kFew), options); });
  const double long_ns = bench::nanoseconds([&] { many = heddle::explore(crowd(blocked, kMany), options); });
  return (long_ns - short_ns) / static_cast<double>(many.steps - few.steps) * kRuns / (kRuns + 1);
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kRounds = 45;  // short ones: the machine is quiet for moments only
  bench::pin_to_one_processor();
  const heddle::Options pings = quietly(100);
  const heddle::Options baton_pings = quietly(2, heddle::Executor::baton);
  bench::Best bare, point, lock3_rate, hand_over, baton_rate, baton_point, few_blocked, many_blocked;
  (void)step_among(1000);  // the threads of a crowd are made once
  for (int round = 0; round < kRounds; ++round) {
    bare.least(bare_switch_ns());
    point.least(cost_of(bench::ping<bench::Standard>, pings).ns_per_step);
    lock3_rate.most(cost_of(bench::lock3<bench::Standard>, quietly(30'000)).per_second);
    if (round % 9 != 0) continue;
    hand_over.least(futex_hand_over_ns());
    baton_rate.most(cost_of(bench::lock3<bench::Standard>, quietly(3'000, heddle::Executor::baton)).per_second);
    baton_point.least(cost_of(bench::ping<bench::Standard>, baton_pings).ns_per_step);
    few_blocked.least(step_among(10));
    many_blocked.least(step_among(1000));
  }

  bench::Figures figures;
  figures.add("kernel/bare_switch", bare.value(), "ns");
  figures.add("kernel/point", point.value(), "ns");
  figures.add_ratio("kernel/point_over_switch", point.value() / bare.value(), "kernel/bare_switch");
  figures.add("kernel/lock3_per_s", lock3_rate.value(), "executions/s");
  figures.add_ratio("kernel/lock3_over_switch", 1e9 / lock3_rate.value() / bare.value(), "kernel/bare_switch");
  figures.add("kernel/baton_lock3_per_s", baton_rate.value(), "executions/s");
  figures.add_ratio("kernel/lock3_over_baton", lock3_rate.value() / baton_rate.value(), "kernel/baton_lock3_per_s");
  figures.add("kernel/futex_hand_over", hand_over.value(), "ns");
  figures.add("kernel/baton_point", baton_point.value(), "ns");
  figures.add_ratio("kernel/baton_point_over_hand_over", baton_point.value() / hand_over.value(),
                    "kernel/futex_hand_over");
  figures.add("kernel/step_10_blocked", few_blocked.value(), "ns");
  figures.add_ratio("kernel/step_1000_over_10_blocked", many_blocked.value() / few_blocked.value(),
                    "kernel/step_10_blocked");
  return figures.write(argc, argv);
}
