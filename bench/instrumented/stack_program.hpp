// Three threads push three nodes each on a Treiber stack. Whether they are threads and atomics of the standard library
// or of the floor (bench/floor.hpp), the includer says: this header must not bring the floor into instrumented code.
#pragma once

namespace bench {

template <typename Kind>
void stack3() {
  struct Node {
    int value = 0;
    Node* next = nullptr;
  };
  Node nodes[3][3];
  typename Kind::template Atomic<Node*> top{nullptr};
  const auto push_all = [&](Node* own) {
    for (int i = 0; i < 3; ++i) {
      Node* const node = own + i;
      node->value = i;
      Node* seen = top.load();
      do node->next = seen;
      while (!top.compare_exchange_strong(seen, node));
    }
  };
  auto push_0 = [&] { push_all(nodes[0]); };
  auto push_1 = [&] { push_all(nodes[1]); };
  auto push_2 = [&] { push_all(nodes[2]); };
  typename Kind::Thread zero(push_0);
  typename Kind::Thread one(push_1);
  typename Kind::Thread two(push_2);
  zero.join();
  one.join();
  two.join();
}

}  // namespace bench
