// A detached thread waits for something that nobody does after the body has returned.
// expect: verdict=leaked-thread message="the body returned, and T1 waits for s1"
// expect: verdict=leaked-thread strategy=dfs executions=1
#include <semaphore.h>

#include <thread>

#include <heddle/heddle.hpp>

sem_t work;

void test() {
  sem_init(&work, 0, 0);
  std::thread([] { sem_wait(&work); }).detach();
}

int main() { return heddle::explore_main(test); }
