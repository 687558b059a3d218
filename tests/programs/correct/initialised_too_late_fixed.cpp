// The semaphore is initialised before anyone can know of it.
// expect: passes
// expect: passes strategy=dfs complete
// expect: passes strategy=dfs:reduce=1 complete
#include <semaphore.h>

#include <thread>

#include <heddle/heddle.hpp>

sem_t is_ready;

void test() {
  is_ready = {};
  sem_init(&is_ready, 0, 0);
  std::thread worker([] { sem_post(&is_ready); });
  sem_wait(&is_ready);
  worker.join();
  sem_destroy(&is_ready);
}

int main() { return heddle::explore_main(test); }
