// The same as in buggy, with a waiter that always waits for the post.
// expect: nothing
#include <semaphore.h>

#include <atomic>
#include <thread>

std::atomic<bool> ready{false};

int main() {
  auto* const semaphore = new sem_t;
  sem_init(semaphore, 0, 0);
  std::thread poster([semaphore] {
    ready.store(true);
    sem_post(semaphore);
  });
  sem_wait(semaphore);
  sem_destroy(semaphore);
  delete semaphore;
  poster.join();
}
