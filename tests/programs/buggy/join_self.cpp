// Whoever is last joins all threads of the list, and with them itself.
// expect: verdict=misuse message="T1 joins itself .join-self."
// expect: verdict=misuse strategy=dfs executions=1
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  std::thread worker;
  worker = std::thread([&] {
    heddle::step();
    if (worker.joinable()) worker.join();
  });
  heddle::step();
  if (worker.joinable()) worker.join();
}

int main() { return heddle::explore_main(test); }
