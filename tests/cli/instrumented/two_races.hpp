// Two races, one in each function, and choices between them; nothing that is locked orders either.
#pragma once

#include <mutex>
#include <thread>

inline std::mutex lock;
inline int logged = 0;
inline int counter = 0;

__attribute__((noinline)) inline void log_it() { ++logged; }
__attribute__((noinline)) inline void count_it() { ++counter; }

inline void work() {
  log_it();
  lock.lock();
  lock.unlock();
  count_it();
}

inline void both() {
  std::thread one(work);
  std::thread two(work);
  one.join();
  two.join();
}
