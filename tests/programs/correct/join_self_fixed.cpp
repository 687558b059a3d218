// The thread that is last joins the one that made it, which is the body itself.
// expect: passes
// expect: passes strategy=dfs complete executions<=20
#include <pthread.h>

#include <cassert>

#include <heddle/heddle.hpp>

pthread_t body;

void test() {
  body = pthread_self();
  pthread_t last;
  const auto join_body = [](void*) -> void* {
    pthread_detach(pthread_self());
    const int error = pthread_join(body, nullptr);
    assert(error == 0);
    return nullptr;
  };
  pthread_create(&last, nullptr, join_body, nullptr);
}

int main() { return heddle::explore_main(test); }
