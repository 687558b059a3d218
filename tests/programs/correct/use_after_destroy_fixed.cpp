// What was destroyed may be initialised again, by a call, by a static initialiser, or as another object in its memory.
// expect: passes
// expect: passes strategy=dfs complete executions=1
#include <pthread.h>
#include <semaphore.h>

#include <condition_variable>
#include <memory>
#include <new>

#include <heddle/heddle.hpp>

void use(pthread_mutex_t& lock) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  pthread_mutex_destroy(&lock);
}

void use(pthread_rwlock_t& lock) {
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_destroy(&lock);
}

void use(sem_t& semaphore) {
  sem_init(&semaphore, 0, 1);
  sem_wait(&semaphore);
  sem_destroy(&semaphore);
}

void use(pthread_barrier_t& barrier) {
  pthread_barrier_init(&barrier, nullptr, 1);
  pthread_barrier_wait(&barrier);
  pthread_barrier_destroy(&barrier);
}

void use(pthread_spinlock_t& lock) {
  pthread_spin_init(&lock, 0);
  pthread_spin_lock(&lock);
  pthread_spin_unlock(&lock);
  pthread_spin_destroy(&lock);
}

pthread_mutex_t global_lock;

void test() {
  pthread_mutex_t lock;
  pthread_rwlock_t read_write_lock;
  sem_t semaphore;
  pthread_barrier_t barrier;
  pthread_spinlock_t spin_lock;
  alignas(std::condition_variable) char memory[sizeof(std::condition_variable)];
  for (int round = 0; round < 3; ++round) {
    pthread_mutex_init(&lock, nullptr);
    use(lock);
    lock = PTHREAD_MUTEX_INITIALIZER;
    use(lock);
    pthread_rwlock_init(&read_write_lock, nullptr);
    use(read_write_lock);
    read_write_lock = PTHREAD_RWLOCK_INITIALIZER;
    use(read_write_lock);
    use(semaphore);
    use(barrier);
    use(spin_lock);
    auto* const condition = new (memory) std::condition_variable;
    condition->notify_all();
    condition->~condition_variable();
    pthread_mutex_init(&global_lock, nullptr);
    use(global_lock);
  }
}

int main() { return heddle::explore_main(test); }
