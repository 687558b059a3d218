// The detached thread is given what it waits for.
// expect: passes
// expect: passes strategy=dfs complete executions=3
#include <semaphore.h>

#include <thread>

#include <heddle/heddle.hpp>

sem_t work;

void test() {
  sem_init(&work, 0, 0);
  std::thread([] { sem_wait(&work); }).detach();
  sem_post(&work);
}

int main() { return heddle::explore_main(test); }
