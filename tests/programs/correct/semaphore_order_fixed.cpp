// The consumer takes the lock when it knows that there is an item.
// expect: passes
// expect: passes strategy=dfs complete executions=4
#include <semaphore.h>

#include <thread>

#include <heddle/heddle.hpp>

void test() {
  sem_t items, lock;
  sem_init(&items, 0, 0);
  sem_init(&lock, 0, 1);
  std::thread consumer([&] {
    sem_wait(&items);
    sem_wait(&lock);
    sem_post(&lock);
  });
  sem_wait(&lock);
  sem_post(&lock);
  sem_post(&items);
  consumer.join();
}

int main() { return heddle::explore_main(test); }
