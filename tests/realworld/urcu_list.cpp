// liburcu: readers of a list, a writer that waits for them before it frees, and callbacks of another thread.
#include <urcu/urcu-memb.h>

#include <urcu/rculist.h>

#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

constexpr int kReaders = 2;
constexpr int kNodes = 3;

struct Node {
  int value;
  cds_list_head place;
  rcu_head head;
};

cds_list_head list = {&list, &list};

int read_all() {
  int sum = 0;
  urcu_memb_read_lock();
  Node* node = nullptr;
  cds_list_for_each_entry_rcu(node, &list, place) sum += node->value;
  urcu_memb_read_unlock();
  return sum;
}

void replace(Node* old, int value) {
  Node* node = new Node{value, {}, {}};
  cds_list_replace_rcu(&old->place, &node->place);
  if (value % 2 != 0) {
    urcu_memb_synchronize_rcu();
    old->value = -1000;
    delete old;
  } else {
    urcu_memb_call_rcu(&old->head, [](rcu_head* head) {
      Node* gone = caa_container_of(head, Node, head);
      gone->value = -1000;
      delete gone;
    });
  }
}

}  // namespace

int main() {
  urcu_memb_register_thread();
  std::vector<Node*> nodes;
  for (int i = 0; i < kNodes; ++i) {
    nodes.push_back(new Node{i, {}, {}});
    cds_list_add_tail_rcu(&nodes.back()->place, &list);
  }
  std::vector<std::thread> readers;
  std::vector<int> wrong(kReaders);
  for (int reader = 0; reader < kReaders; ++reader)
    readers.emplace_back([&, reader] {
      urcu_memb_register_thread();
      for (int i = 0; i < 3; ++i) wrong[static_cast<std::size_t>(reader)] += read_all() < 0;
      urcu_memb_unregister_thread();
    });
  for (int i = 0; i < kNodes; ++i) replace(nodes[static_cast<std::size_t>(i)], 10 + i);
  for (std::thread& reader : readers) reader.join();
  urcu_memb_barrier();
  const int sum = read_all();
  urcu_memb_unregister_thread();
  int freed = 0;
  for (const int count : wrong) freed += count;
  std::printf("sum %d, %d freed nodes read\n", sum, freed);
}
