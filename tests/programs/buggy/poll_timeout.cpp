// No answer within a second is taken for a worker that has nothing to say, and the next request gets the old answer.
// expect: verdict=assertion message="assertion `answer == request` failed"
// expect: verdict=assertion strategy=dfs executions<=1000
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
  for (const char request : {'a', 'b'}) {
    assert(write(requests[1], &request, 1) == 1);
    pollfd wanted{answers[0], POLLIN, 0};
    if (poll(&wanted, 1, 1000) == 0) continue;  // it may still come
    char answer = 0;
    assert(read(answers[0], &answer, 1) == 1);
    assert(answer == request);
  }
  close(requests[1]);
  worker.join();
  for (const int descriptor : {requests[0], answers[0], answers[1]}) close(descriptor);
}

int main() { return heddle::explore_main(test); }
