// A semaphore may be released by another thread than the one that acquired it.
// expect: passes
// expect: passes strategy=dfs complete executions=19
#include <semaphore.h>

#include <cassert>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  sem_t turn;
  sem_init(&turn, 0, 1);
  std::thread one([&] { sem_wait(&turn); });
  std::thread two([&] { sem_post(&turn); });
  one.join();
  two.join();
  int value = 0;
  sem_getvalue(&turn, &value);
  assert(value == 1);
}

int main() { return heddle::explore_main(test); }
