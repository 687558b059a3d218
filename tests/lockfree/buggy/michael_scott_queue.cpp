// The queue of Michael and Scott, 1996, in which a node is linked by a store after a look and not by a
// compare-exchange. Both threads see that nothing follows the dummy; one links its node, the other links its own in the
// same place, and the first is lost: whoever comes last to the queue finds it empty.
// expect: finds=assertion
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  int value = 0;
  std::atomic<Node*> next = nullptr;
};

Node dummy;  // what head points to has been taken; all nodes live until the end
std::atomic<Node*> head = &dummy;
std::atomic<Node*> tail = &dummy;

void enqueue(Node* node) {
  for (;;) {
    Node* last = tail.load();
    Node* next = last->next.load();
    if (next != nullptr) {
      tail.compare_exchange_strong(last, next);  // the tail lags: help it on
      continue;
    }
    last->next.store(node);
    tail.compare_exchange_strong(last, node);
    return;
  }
}

Node* dequeue() {
  for (;;) {
    Node* first = head.load();
    Node* last = tail.load();
    Node* next = first->next.load();
    if (next == nullptr) return nullptr;
    if (first == last) {
      tail.compare_exchange_strong(last, next);
      continue;
    }
    if (head.compare_exchange_strong(first, next)) return next;
  }
}

void put_and_get(Node* node, int value, int* got) {
  node->value = value;
  enqueue(node);
  const Node* taken = dequeue();
  assert(taken != nullptr);  // as many have been put as are to be got
  *got = taken->value;
}

int main() {
  Node one_node, two_node;
  int one_got = 0, two_got = 0;
  std::thread one(put_and_get, &one_node, 1, &one_got);
  std::thread two(put_and_get, &two_node, 2, &two_got);
  one.join();
  two.join();
  assert(one_got + two_got == 3);
}
