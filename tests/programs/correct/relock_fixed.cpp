// The lock may be taken again by who holds it.
// expect: passes
// expect: passes strategy=dfs complete executions=1
#include <mutex>

#include <heddle/heddle.hpp>

struct Stack {
  std::recursive_mutex lock;
  int size = 0;

  bool is_empty() {
    const std::lock_guard guard(lock);
    return size == 0;
  }
  void pop() {
    const std::lock_guard guard(lock);
    if (!is_empty()) --size;
  }
};

void test() {
  Stack stack;
  stack.pop();
}

int main() { return heddle::explore_main(test); }
