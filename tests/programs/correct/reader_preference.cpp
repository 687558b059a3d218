// The default of glibc prefers readers: a reader may read again, whoever waits to write.
// expect: passes
// expect: passes strategy=dfs complete executions=6
#include <pthread.h>

#include <thread>

#include <heddle/heddle.hpp>

void test() {
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  std::thread writer([&] {
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
  });
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);
  writer.join();
}

int main() { return heddle::explore_main(test); }
