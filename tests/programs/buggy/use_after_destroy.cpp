// A log is closed, and a thread that was late writes to it once more.
// expect: verdict=misuse message="T1 uses a mutex that T0 destroyed .use-after-destroy."
// expect: verdict=misuse strategy=dfs executions=1
#include <pthread.h>

#include <thread>

#include <heddle/heddle.hpp>

struct Log {
  pthread_mutex_t lock;
  int lines = 0;

  void open() { pthread_mutex_init(&lock, nullptr); }
  void close() { pthread_mutex_destroy(&lock); }
  void write() {
    pthread_mutex_lock(&lock);
    ++lines;
    pthread_mutex_unlock(&lock);
  }
};

void test() {
  Log log;
  log.open();
  log.write();
  log.close();
  std::thread late([&] { log.write(); });
  late.join();
}

int main() { return heddle::explore_main(test); }
