// Misuses that the user tolerates: the calls say what is wrong, the program looks at that, and goes on.
// expect: passes
// expect: passes strategy=dfs complete executions=1
#include <pthread.h>
#include <semaphore.h>

#include <cassert>
#include <cerrno>
#include <climits>

#include <heddle/heddle.hpp>

void expect(int error, int wanted) { assert(error == wanted); }

void test() {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  expect(pthread_mutex_unlock(&lock), EPERM);
  expect(pthread_mutex_lock(&lock), 0);
  expect(pthread_mutex_lock(&lock), EDEADLK);
  expect(pthread_mutex_destroy(&lock), EBUSY);
  expect(pthread_mutex_unlock(&lock), 0);
  expect(pthread_join(pthread_self(), nullptr), EDEADLK);
  pthread_barrier_t together;
  expect(pthread_barrier_init(&together, nullptr, 0), EINVAL);
  sem_t places;
  sem_init(&places, 0, SEM_VALUE_MAX);
  expect(sem_post(&places), -1);
  expect(errno, EOVERFLOW);
  sem_destroy(&places);
}

int main() {
  return heddle::explore_main(test, {.allow = {"unlock-unlocked", "relock", "destroy-in-use", "join-self",
                                               "barrier-count", "semaphore-overflow"}});
}
