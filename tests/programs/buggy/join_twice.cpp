// Two threads wait for the end of the same worker: one of them may already be doing so, or have done so.
// expect: verdict=misuse message="T[02] joins T1, which (T[02] is joining already|T[02] joined) .join-twice."
// expect: verdict=misuse strategy=dfs executions=1
#include <pthread.h>

#include <thread>

#include <heddle/heddle.hpp>

pthread_t worker;

void test() {
  pthread_create(
      &worker, nullptr, [](void*) -> void* { return nullptr; }, nullptr);
  std::thread impatient([] { pthread_join(worker, nullptr); });
  pthread_join(worker, nullptr);
  impatient.join();
}

int main() { return heddle::explore_main(test); }
