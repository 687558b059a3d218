// The semaphore is initialised after the thread that posts it was started: a post that comes before is forgotten.
// expect: verdict=deadlock
// expect: verdict=deadlock strategy=dfs
// expect: verdict=deadlock strategy=dfs:reduce=1
#include <semaphore.h>

#include <thread>

#include <heddle/heddle.hpp>

sem_t is_ready;

void test() {
  is_ready = {};
  std::thread worker([] { sem_post(&is_ready); });
  sem_init(&is_ready, 0, 0);
  sem_wait(&is_ready);
  worker.join();
  sem_destroy(&is_ready);
}

int main() { return heddle::explore_main(test); }
