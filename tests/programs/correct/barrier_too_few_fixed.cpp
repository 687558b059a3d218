// The one who made the barrier for three comes as well; two rounds, and in each exactly one is told that it was serial.
// expect: passes
#include <pthread.h>

#include <atomic>
#include <cassert>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  pthread_barrier_t together;
  pthread_barrier_init(&together, nullptr, 3);
  std::atomic<int> came = 0;
  std::atomic<int> serial = 0;
  const auto meet_twice = [&] {
    for (int round = 1; round <= 2; ++round) {
      ++came;
      if (pthread_barrier_wait(&together) == PTHREAD_BARRIER_SERIAL_THREAD) ++serial;
      assert(came >= 3 * round);
    }
  };
  std::thread one(meet_twice);
  std::thread two(meet_twice);
  meet_twice();
  one.join();
  two.join();
  assert(serial == 2);
  pthread_barrier_destroy(&together);
}

int main() { return heddle::explore_main(test); }
