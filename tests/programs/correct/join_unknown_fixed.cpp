// Every thread that is joined was made; handles are used again by later threads.
// expect: passes
#include <pthread.h>

#include <heddle/heddle.hpp>

void test() {
  for (int round = 0; round < 3; ++round) {
    pthread_t workers[2] = {};
    for (pthread_t& worker : workers)
      pthread_create(
          &worker, nullptr, [](void*) -> void* { return nullptr; }, nullptr);
    for (const pthread_t worker : workers) pthread_join(worker, nullptr);
  }
}

int main() { return heddle::explore_main(test); }
