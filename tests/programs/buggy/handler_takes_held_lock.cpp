// A signal handler takes the lock that the code it interrupts may hold.
// expect: verdict=misuse message="T0 locks mutex m1, which it holds already"
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
  add(1);
  sender.join();
  pthread_mutex_destroy(&lock);
}

int main() { return heddle::explore_main(test); }
