// The last one who has to do with the mutex destroys it, right after it gave it back.
// expect: passes
// expect: passes strategy=dfs complete executions<=100
#include <pthread.h>

#include <thread>

#include <heddle/heddle.hpp>

struct Counted {
  pthread_mutex_t lock;
  int users = 2;

  Counted() { pthread_mutex_init(&lock, nullptr); }
  void leave() {
    pthread_mutex_lock(&lock);
    const bool is_last = --users == 0;
    pthread_mutex_unlock(&lock);
    if (is_last) delete this;
  }

 private:
  ~Counted() { pthread_mutex_destroy(&lock); }
};

void test() {
  auto* const shared = new Counted;
  std::thread worker([=] { shared->leave(); });
  shared->leave();
  worker.join();
}

int main() { return heddle::explore_main(test); }
