// Only who acquired it releases it.
// expect: passes
#include <semaphore.h>

#include <climits>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  sem_t places;
  sem_init(&places, 0, SEM_VALUE_MAX);
  const auto visit = [&] {
    sem_wait(&places);
    sem_post(&places);
  };
  std::thread one(visit);
  std::thread two(visit);
  one.join();
  two.join();
  sem_destroy(&places);
}

int main() { return heddle::explore_main(test); }
