// A thread that was never made is joined.
// expect: verdict=misuse message="T0 joins a thread that this execution never made" executions<=1
// expect: verdict=misuse strategy=dfs executions=1
#include <pthread.h>

#include <heddle/heddle.hpp>

void test() {
  pthread_t workers[2] = {};
  pthread_create(
      &workers[0], nullptr, [](void*) -> void* { return nullptr; }, nullptr);
  for (const pthread_t worker : workers) pthread_join(worker, nullptr);
}

int main() { return heddle::explore_main(test); }
