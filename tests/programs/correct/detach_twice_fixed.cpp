// Only one of them detaches the thread.
// expect: passes
// expect: passes strategy=dfs complete executions<=10
#include <pthread.h>

#include <heddle/heddle.hpp>

void test() {
  pthread_t worker;
  pthread_create(
      &worker, nullptr, [](void*) -> void* { return nullptr; }, nullptr);
  pthread_detach(worker);
}

int main() { return heddle::explore_main(test); }
