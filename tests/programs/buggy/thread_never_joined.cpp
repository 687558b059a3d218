// A thread is made with pthreads, ends, and is neither joined nor detached.
// expect: verdict=leaked-thread message="T1 ended and was neither joined nor detached"
// expect: verdict=leaked-thread strategy=dfs executions=1
#include <pthread.h>

#include <heddle/heddle.hpp>

void test() {
  pthread_t worker;
  pthread_create(
      &worker, nullptr, [](void*) -> void* { return nullptr; }, nullptr);
}

int main() { return heddle::explore_main(test); }
