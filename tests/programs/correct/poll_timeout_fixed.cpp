// Whoever gave up on an answer reads it away before it asks again.
// expect: passes
// expect: passes strategy=dfs complete
#include <poll.h>
#include <unistd.h>

#include <cassert>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  int requests[2], answers[2];
  assert(pipe(requests) == 0 && pipe(answers) == 0);
  std::thread worker([&] {
    for (char request; read(requests[0], &request, 1) == 1;) assert(write(answers[1], &request, 1) == 1);
  });
  int missing = 0;
  for (const char request : {'a', 'b'}) {
    char answer = 0;
    for (; missing > 0; --missing) assert(read(answers[0], &answer, 1) == 1);
    assert(write(requests[1], &request, 1) == 1);
    pollfd wanted{answers[0], POLLIN, 0};
    if (poll(&wanted, 1, 1000) == 0) {
      ++missing;
      continue;
    }
    assert(read(answers[0], &answer, 1) == 1);
    assert(answer == request);
  }
  close(requests[1]);
  worker.join();
  for (const int descriptor : {requests[0], answers[0], answers[1]}) close(descriptor);
}

int main() { return heddle::explore_main(test); }
