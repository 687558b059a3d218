// A relock that the user tolerates, and the program does not notice: it gives the lock back once too early.
// expect: verdict=assertion message="assertion `!is_inside` failed"
// expect: verdict=assertion strategy=dfs executions<=200
#include <pthread.h>

#include <cassert>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  bool is_inside = false;
  std::thread worker([&] {
    pthread_mutex_lock(&lock);
    assert(!is_inside);
    pthread_mutex_unlock(&lock);
  });
  pthread_mutex_lock(&lock);
  is_inside = true;
  pthread_mutex_lock(&lock);  // says EDEADLK
  pthread_mutex_unlock(&lock);
  heddle::step();
  is_inside = false;
  pthread_mutex_unlock(&lock);
  worker.join();
}

int main() { return heddle::explore_main(test, {.allow = {"relock", "unlock-unlocked", "unlock-not-owner"}}); }
