// The thread detaches itself, and so does whoever made it.
// expect: verdict=misuse message="T[01] detaches T1, which is detached already .detach-twice."
// expect: verdict=misuse strategy=dfs executions<=10
#include <pthread.h>

#include <heddle/heddle.hpp>

void test() {
  pthread_t worker;
  const auto detach_itself = [](void*) -> void* {
    pthread_detach(pthread_self());
    return nullptr;
  };
  pthread_create(&worker, nullptr, detach_itself, nullptr);
  pthread_detach(worker);
}

int main() { return heddle::explore_main(test); }
