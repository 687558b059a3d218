// A thread ends itself, by pthread_exit; its stack is unwound, and its result can be had.
// expect: passes
// expect: passes strategy=dfs complete executions=39
#include <pthread.h>

#include <cassert>
#include <mutex>

#include <heddle/heddle.hpp>

std::mutex lock;
int unwound;

struct Guard {
  ~Guard() { ++unwound; }
};

void end(int* result) {
  const std::lock_guard guard(lock);
  const Guard counts;
  pthread_exit(result);
}

void* come(void* result) {
  end(static_cast<int*>(result));
  return nullptr;
}

void test() {
  unwound = 0;
  int results[2] = {};
  pthread_t one, two;
  pthread_create(&one, nullptr, come, &results[0]);
  pthread_create(&two, nullptr, come, &results[1]);
  void* result = nullptr;
  pthread_join(one, &result);
  assert(result == &results[0]);
  pthread_join(two, &result);
  assert(result == &results[1]);
  assert(unwound == 2);
}

int main() { return heddle::explore_main(test); }
