// A std::thread is destroyed while it is joinable.
// expect: verdict=aborted message="std::terminate without an exception .as when a joinable std::thread is destroyed."
// expect: verdict=aborted strategy=dfs executions=1
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  std::thread worker([] {});
}

int main() { return heddle::explore_main(test); }
