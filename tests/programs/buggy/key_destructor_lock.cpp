// The destructor of a key takes a lock, which is held by the one who joins the thread.
// expect: verdict=deadlock message="T0 waits for the end of T1, T1 waits for m1 \(held by T0\)"
// expect: verdict=deadlock strategy=dfs executions<=5
#include <pthread.h>

#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

std::mutex registry;

void leave(void*) { const std::lock_guard guard(registry); }

void test() {
  pthread_key_t key;
  pthread_key_create(&key, leave);
  {
    const std::lock_guard guard(registry);
    std::thread worker([=] { pthread_setspecific(key, &registry); });
    worker.join();
  }
  pthread_key_delete(key);
}

int main() { return heddle::explore_main(test); }
