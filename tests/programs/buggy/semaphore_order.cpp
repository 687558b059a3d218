// The consumer takes the lock before it knows that there is an item: the producer cannot put one in.
// expect: verdict=deadlock message="T0 waits for s1, T1 waits for s2"
// expect: verdict=deadlock strategy=dfs executions<=20
#include <semaphore.h>

#include <thread>

#include <heddle/heddle.hpp>

void test() {
  sem_t items, lock;
  sem_init(&items, 0, 0);
  sem_init(&lock, 0, 1);
  std::thread consumer([&] {
    sem_wait(&lock);
    sem_wait(&items);
    sem_post(&lock);
  });
  sem_wait(&lock);
  sem_post(&lock);
  sem_post(&items);
  consumer.join();
}

int main() { return heddle::explore_main(test); }
