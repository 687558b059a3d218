// Two threads find the cache not ready, and both make its lock ready.
// expect: verdict=misuse message="T[12] initialises mutex m1.* T[12] (holds|waits for|did before).* .double-init."
// expect: verdict=misuse strategy=dfs executions<=50
#include <pthread.h>

#include <thread>

#include <heddle/heddle.hpp>

struct Cache {
  pthread_mutex_t lock;
  bool is_ready = false;

  void use() {
    if (!is_ready) {
      heddle::step();
      pthread_mutex_init(&lock, nullptr);
      is_ready = true;
    }
    pthread_mutex_lock(&lock);
    heddle::step();
    pthread_mutex_unlock(&lock);
  }
};

Cache cache;

void test() {
  cache = {};
  std::thread one([] { cache.use(); });
  std::thread two([] { cache.use(); });
  one.join();
  two.join();
}

int main() { return heddle::explore_main(test); }
