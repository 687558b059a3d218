// The lock is made ready before the threads. Locks whose memory is used again without a call that destroys them, on the
// stack, on the heap and in a buffer, are new ones each time, whether they were given back or not.
// expect: passes
// expect: passes strategy=dfs complete executions<=100
#include <pthread.h>

#include <cassert>
#include <cstdlib>
#include <thread>

#include <heddle/heddle.hpp>

struct Cache {
  pthread_mutex_t lock;
  int used = 0;

  Cache() { pthread_mutex_init(&lock, nullptr); }
  ~Cache() { pthread_mutex_destroy(&lock); }
  void use() {
    pthread_mutex_lock(&lock);
    ++used;
    pthread_mutex_unlock(&lock);
  }
};

[[gnu::noinline]] void lock_on_the_stack(bool gives_back) {
  pthread_mutex_t lock;
  pthread_mutex_init(&lock, nullptr);
  const int error = pthread_mutex_lock(&lock);
  assert(error == 0);
  if (gives_back) pthread_mutex_unlock(&lock);
}

void lock_on_the_heap() {
  auto* const lock = static_cast<pthread_mutex_t*>(std::malloc(sizeof(pthread_mutex_t)));
  pthread_mutex_init(lock, nullptr);
  const int error = pthread_mutex_lock(lock);
  assert(error == 0);
  std::free(lock);
}

void test() {
  Cache cache;
  std::thread one([&] { cache.use(); });
  cache.use();
  one.join();
  for (int round = 0; round < 3; ++round) {
    lock_on_the_stack(true);
    lock_on_the_stack(false);
    lock_on_the_heap();
  }
}

int main() { return heddle::explore_main(test); }
