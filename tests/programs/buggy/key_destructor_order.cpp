// The destructor of one key uses the value of another, which has been destroyed before it.
// expect: verdict=assertion message="assertion `log != nullptr` failed" executions<=1
// expect: verdict=assertion strategy=dfs executions=1
#include <pthread.h>

#include <cassert>
#include <thread>

#include <heddle/heddle.hpp>

pthread_key_t log_key, connection_key;

void close_log(void*) {}

void close_connection(void*) {
  const void* log = pthread_getspecific(log_key);
  assert(log != nullptr);
}

void test() {
  pthread_key_create(&log_key, close_log);
  pthread_key_create(&connection_key, close_connection);
  std::thread worker([] {
    static int log, connection;
    pthread_setspecific(log_key, &log);
    pthread_setspecific(connection_key, &connection);
  });
  worker.join();
  pthread_key_delete(connection_key);
  pthread_key_delete(log_key);
}

int main() { return heddle::explore_main(test); }
