// The waiter frees the semaphore as soon as it has seen the flag; the poster still has to post it.
// expect: finds=memory-error
// expect: ignored=memory-error
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
  if (!ready.load()) sem_wait(semaphore);
  sem_destroy(semaphore);
  delete semaphore;
  poster.join();
}
