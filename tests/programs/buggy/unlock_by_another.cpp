// One thread locks, another unlocks.
// expect: verdict=misuse message="T2 unlocks mutex m1, which (T1|nobody) holds .unlock-(not-owner|unlocked)."
// expect: verdict=misuse strategy=dfs executions=1
#include <pthread.h>

#include <thread>

#include <heddle/heddle.hpp>

void test() {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  std::thread one([&] { pthread_mutex_lock(&lock); });
  std::thread two([&] { pthread_mutex_unlock(&lock); });
  one.join();
  two.join();
}

int main() { return heddle::explore_main(test); }
