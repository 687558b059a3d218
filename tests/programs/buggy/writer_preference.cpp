// A read-write lock of glibc that prefers writers: a reader that reads again waits behind the writer that waits for it.
// expect: verdict=deadlock message="waits for rw1"
// expect: verdict=deadlock strategy=dfs executions<=100
#include <pthread.h>

#include <thread>

#include <heddle/heddle.hpp>

void test() {
  pthread_rwlockattr_t attributes;
  pthread_rwlockattr_init(&attributes);
  pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_t lock;
  pthread_rwlock_init(&lock, &attributes);
  std::thread writer([&] {
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
  });
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);
  writer.join();
  pthread_rwlock_destroy(&lock);
}

int main() { return heddle::explore_main(test); }
