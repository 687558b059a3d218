// A std::jthread joins itself when it is destroyed.
// expect: passes
// expect: passes strategy=dfs complete executions=1
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  std::jthread worker([] {});
}

int main() { return heddle::explore_main(test); }
