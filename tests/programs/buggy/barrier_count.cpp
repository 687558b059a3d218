// A barrier for as many as there are processors beyond the first: none, on a machine with one.
// expect: verdict=misuse message="T0 initialises a barrier for 0 operations .barrier-count." executions<=1
// expect: verdict=misuse strategy=dfs executions=1
#include <pthread.h>

#include <heddle/heddle.hpp>

void test() {
  const unsigned processors = 1;
  pthread_barrier_t together;
  pthread_barrier_init(&together, nullptr, processors - 1);
  pthread_barrier_wait(&together);
}

int main() { return heddle::explore_main(test); }
