// A semaphore that stands for "as many as you like" is released by each who leaves, whether it acquired it or not.
// expect: verdict=misuse message="T[12] releases semaphore s1, which is at its greatest value .semaphore-overflow."
// expect: verdict=misuse strategy=dfs executions=1
#include <semaphore.h>

#include <climits>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  sem_t places;
  sem_init(&places, 0, SEM_VALUE_MAX - 1);
  std::thread one([&] { sem_post(&places); });
  std::thread two([&] { sem_post(&places); });
  one.join();
  two.join();
  sem_destroy(&places);
}

int main() { return heddle::explore_main(test); }
