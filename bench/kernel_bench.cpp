// What the kernel costs: a scheduling point, the Nekara paper's example, the baton, and how a step scales.
//
// Every figure is the best of several rounds, and a ratio is of two things measured in turns in the same run: the
// machine is shared, and what disturbs one round disturbs its neighbour. The bare switch is Boost.Context's with one
// write of the FS base, which is the least that a switch between threads of one carrier can cost.
#include <pthread.h>
#include <sched.h>

#include <algorithm>
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

heddle::Options quietly(std::uint64_t executions, heddle::Executor executor = heddle::Executor::carrier) {
  heddle::Options options;
  options.strategy = "random";
  options.executions = executions;
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

/// Two operations with a lock each of their own: both are enabled at every point.
void ping() {
  constexpr int kRounds = 500;
  const auto run = [] {
    std::mutex lock;
    for (int i = 0; i < kRounds; ++i) {
      lock.lock();
      lock.unlock();
    }
  };
  std::thread other(run);
  run();
  other.join();
}

/// Figure 2 of the Nekara paper, without its assertion: three threads, one lock, three joins.
void lock3() {
  int x = 0;
  std::mutex lock;
  const auto set = [&](int value) {
    const std::lock_guard guard(lock);
    x = value;
  };
  std::thread one(set, 1);
  std::thread two(set, 2);
  std::thread three(set, 3);
  one.join();
  two.join();
  three.join();
}

/// Two operations that step while `blocked` others wait, each for a lock of its own that the body holds.
heddle::Body crowd(int blocked) {
  return [blocked] {
    constexpr int kRounds = 20'000;
    std::vector<std::mutex> gates(static_cast<std::size_t>(blocked));
    std::vector<std::thread> waiting;
    for (std::mutex& gate : gates) {
      gate.lock();
      waiting.emplace_back([&gate] { const std::lock_guard pass(gate); });
    }
    const auto run = [] {
      std::mutex lock;
      for (int i = 0; i < kRounds; ++i) {
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

void pin_to_one_processor() {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  sched_setaffinity(0, sizeof one, &one);
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kRounds = 15;
  pin_to_one_processor();
  heddle::Options pings = quietly(100);
  heddle::Options baton_pings = quietly(2, heddle::Executor::baton);
  heddle::Options few = quietly(1);
  few.steps_max = 1'000'000;
  bench::Best bare, point, lock3_rate, baton_rate, baton_point, few_blocked, many_blocked;
  (void)cost_of(crowd(1000), few);  // the donors are made once
  for (int round = 0; round < kRounds; ++round) {
    bare.least(bare_switch_ns());
    point.least(cost_of(ping, pings).ns_per_step);
    lock3_rate.most(cost_of(lock3, quietly(100'000)).per_second);
    if (round % 5 == 0) {
      baton_rate.most(cost_of(lock3, quietly(3'000, heddle::Executor::baton)).per_second);
      baton_point.least(cost_of(ping, baton_pings).ns_per_step);
    }
    few_blocked.least(cost_of(crowd(10), few).ns_per_step);
    many_blocked.least(cost_of(crowd(1000), few).ns_per_step);
  }

  bench::Figures figures;
  figures.add("kernel/bare_switch", bare.value(), "ns");
  figures.add("kernel/point", point.value(), "ns");
  figures.add_ratio("kernel/point_over_switch", point.value() / bare.value(), "kernel/bare_switch");
  figures.add("kernel/lock3_per_s", lock3_rate.value(), "executions/s");
  figures.add("kernel/baton_lock3_per_s", baton_rate.value(), "executions/s");
  figures.add_ratio("kernel/lock3_over_baton", lock3_rate.value() / baton_rate.value(), "kernel/baton_lock3_per_s");
  figures.add("kernel/baton_point", baton_point.value(), "ns");
  figures.add("kernel/point_10_blocked", few_blocked.value(), "ns");
  figures.add_ratio("kernel/point_1000_over_10_blocked", many_blocked.value() / few_blocked.value(),
                    "kernel/point_10_blocked");
  return figures.write(argc, argv);
}
