// A destructor that comes too early sets its value again, and is called again in the next round.
// expect: passes
// expect: passes strategy=dfs complete executions=1
#include <pthread.h>

#include <cassert>
#include <thread>

#include <heddle/heddle.hpp>

pthread_key_t log_key, connection_key;
int closed_logs;

void close_log(void* log) {
  if (pthread_getspecific(connection_key) != nullptr)
    pthread_setspecific(log_key, log);
  else
    ++closed_logs;
}

void close_connection(void*) {
  const void* log = pthread_getspecific(log_key);
  assert(log != nullptr);
}

void test() {
  closed_logs = 0;
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
  assert(closed_logs == 1);
}

int main() { return heddle::explore_main(test); }
