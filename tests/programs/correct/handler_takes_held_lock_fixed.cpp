// Whoever takes the lock outside the handler blocks the signal first.
// expect: passes
// expect: passes strategy=dfs complete executions<=20000
#include <pthread.h>
#include <signal.h>

#include <thread>

#include <heddle/heddle.hpp>

static pthread_mutex_t lock;
static int value;

static void add(int by) {
  pthread_mutex_lock(&lock);
  value += by;
  pthread_mutex_unlock(&lock);
}

void test() {
  pthread_mutex_init(&lock, nullptr);
  signal(SIGUSR1, [](int) { add(10); });
  const pthread_t main = pthread_self();
  std::thread sender([main] { pthread_kill(main, SIGUSR1); });
  sigset_t set, old;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, &old);
  add(1);
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
  sender.join();
  pthread_mutex_destroy(&lock);
}

int main() { return heddle::explore_main(test); }
