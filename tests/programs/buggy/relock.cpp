// A function that holds a lock calls another that takes it.
// expect: verdict=misuse message="T0 locks mutex m1, which it holds already .relock." executions<=1
// expect: verdict=misuse strategy=dfs executions=1
#include <mutex>

#include <heddle/heddle.hpp>

struct Stack {
  std::mutex lock;
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
