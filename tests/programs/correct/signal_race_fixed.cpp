// The signal is blocked while the total is read and written, so its handler runs before or after.
// expect: passes
// expect: passes strategy=dfs complete executions<=5000
#include <pthread.h>
#include <signal.h>

#include <cassert>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

static int total;

void test() {
  total = 0;
  signal(SIGUSR1, [](int) { total += 10; });
  const pthread_t main = pthread_self();
  std::thread sender([main] { pthread_kill(main, SIGUSR1); });
  sigset_t set, old;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, &old);
  std::mutex log;
  const int before = total;
  log.lock();
  log.unlock();
  total = before + 1;
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
  sender.join();
  assert(total == 11);
}

int main() { return heddle::explore_main(test); }
