// A barrier for three, and only two ever come.
// expect: verdict=deadlock message="waits for b1 \(2 of 3 came\)"
// expect: verdict=deadlock strategy=dfs executions=1
#include <pthread.h>

#include <thread>

#include <heddle/heddle.hpp>

void test() {
  pthread_barrier_t together;
  pthread_barrier_init(&together, nullptr, 3);
  std::thread one([&] { pthread_barrier_wait(&together); });
  std::thread two([&] { pthread_barrier_wait(&together); });
  one.join();
  two.join();
  pthread_barrier_destroy(&together);
}

int main() { return heddle::explore_main(test); }
