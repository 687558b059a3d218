// A signal handler adds to a total that the interrupted code is just about to write.
// expect: verdict=assertion message="assertion `total == 11` failed"
// expect: verdict=assertion strategy=ipb executions<=40
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
  std::mutex log;
  const int before = total;
  log.lock();  // guards the log, and not the total
  log.unlock();
  total = before + 1;
  sender.join();
  assert(total == 11);
}

int main() { return heddle::explore_main(test); }
