// Small programs on which the kernel is measured, with the threads and locks of the standard library or of the floor.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <thread>

#include "floor.hpp"

namespace bench {

struct Standard {
  using Lock = std::mutex;
  using Thread = std::thread;
};

struct OnFloor {
  using Lock = Floor::Lock;
  using Thread = Floor::Thread;
};

/// Figure 2 of the Nekara paper, without its assertion: three threads, one lock, three joins.
template <typename Kind>
void lock3() {
  int x = 0;
  typename Kind::Lock lock;
  const auto set = [&](int value) {
    const std::lock_guard guard(lock);
    x = value;
  };
  auto set_1 = [&] { set(1); };
  auto set_2 = [&] { set(2); };
  auto set_3 = [&] { set(3); };
  typename Kind::Thread one(set_1);
  typename Kind::Thread two(set_2);
  typename Kind::Thread three(set_3);
  one.join();
  two.join();
  three.join();
}

/// Five philosophers, each of whom takes the fork with the lower number first.
template <typename Kind>
void phil5() {
  std::array<typename Kind::Lock, 5> forks;
  const auto eat = [&](std::size_t seat) {
    const std::size_t left = seat, right = (seat + 1) % forks.size();
    const std::lock_guard first(forks[left < right ? left : right]);
    const std::lock_guard second(forks[left < right ? right : left]);
  };
  auto eat_0 = [&] { eat(0); };
  auto eat_1 = [&] { eat(1); };
  auto eat_2 = [&] { eat(2); };
  auto eat_3 = [&] { eat(3); };
  auto eat_4 = [&] { eat(4); };
  typename Kind::Thread zero(eat_0);
  typename Kind::Thread one(eat_1);
  typename Kind::Thread two(eat_2);
  typename Kind::Thread three(eat_3);
  typename Kind::Thread four(eat_4);
  zero.join();
  one.join();
  two.join();
  three.join();
  four.join();
}

/// Two operations with a lock each of their own: both are enabled at every one of their 1,000 points.
template <typename Kind>
void ping() {
  constexpr int kRounds = 500;
  auto run = [] {
    typename Kind::Lock lock;
    for (int i = 0; i < kRounds; ++i) {
      lock.lock();
      lock.unlock();
    }
  };
  typename Kind::Thread other(run);
  run();
  other.join();
}

}  // namespace bench
