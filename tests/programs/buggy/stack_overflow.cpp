// A recursion without end, when the end is not there yet.
// expect: verdict=stack-overflow message="stack overflow: T1 needs more than \d+ KiB"
// expect: verdict=stack-overflow strategy=dfs executions<=20
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

struct Node {
  Node* volatile next = nullptr;
};

int length(const Node* node) {
  volatile char frame[1000];
  frame[0] = 1;
  return node->next == nullptr ? frame[0] : length(node->next) + frame[0];
}

void test() {
  std::mutex lock;
  Node nodes[2];
  nodes[0].next = &nodes[1];
  nodes[1].next = &nodes[0];
  std::thread counter([&] {
    const std::lock_guard guard(lock);
    length(&nodes[0]);
  });
  {
    const std::lock_guard guard(lock);
    nodes[1].next = nullptr;
  }
  counter.join();
}

int main() { return heddle::explore_main(test); }
