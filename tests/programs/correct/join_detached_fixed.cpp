// One thread is joined, the other detached, and a flag says when it is through.
// expect: passes
#include <pthread.h>
#include <semaphore.h>

#include <heddle/heddle.hpp>

sem_t through;

void test() {
  sem_init(&through, 0, 0);
  pthread_t joined, detached;
  const auto detach_itself = [](void*) -> void* {
    pthread_detach(pthread_self());
    sem_post(&through);
    return nullptr;
  };
  pthread_create(
      &joined, nullptr, [](void*) -> void* { return nullptr; }, nullptr);
  pthread_create(&detached, nullptr, detach_itself, nullptr);
  pthread_join(joined, nullptr);
  sem_wait(&through);
  sem_destroy(&through);
}

int main() { return heddle::explore_main(test); }
