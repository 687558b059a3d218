// A barrier for one, which never holds anybody up; destroyed and made again for two.
// expect: passes
#include <pthread.h>

#include <thread>

#include <heddle/heddle.hpp>

void test() {
  pthread_barrier_t together;
  pthread_barrier_init(&together, nullptr, 1);
  pthread_barrier_wait(&together);
  pthread_barrier_destroy(&together);
  pthread_barrier_init(&together, nullptr, 2);
  std::thread other([&] { pthread_barrier_wait(&together); });
  pthread_barrier_wait(&together);
  other.join();
  pthread_barrier_destroy(&together);
}

int main() { return heddle::explore_main(test); }
