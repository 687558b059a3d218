// The thread detaches itself; whoever made it joins it all the same.
// expect: verdict=misuse message="T0 joins T1, which is detached .join-detached."
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
  heddle::step();
  pthread_join(worker, nullptr);
}

int main() { return heddle::explore_main(test); }
