// Hazard pointers, Michael, 2004, with a reader that does not look again after it has announced what it is going to
// use: between its load of the node and the announcement the writer replaces the node, sees no hazard and reclaims it.
// expect: finds=assertion|race
#include <atomic>
#include <cassert>
#include <thread>

constexpr int kAlive = 0x600d;
constexpr int kPoison = 0xdead;

struct Node {
  int canary = kPoison;
  Node* next_free = nullptr;
};

Node nodes[3];
Node* free_nodes = nullptr;  // the writer's
std::atomic<Node*> current = nullptr;
std::atomic<Node*> hazard = nullptr;  // the node that the reader may be using

void reclaim(Node* node) {
  node->canary = kPoison;
  node->next_free = free_nodes;
  free_nodes = node;
}

void replace() {
  Node* fresh = free_nodes;
  free_nodes = fresh->next_free;
  fresh->canary = kAlive;
  Node* old = current.exchange(fresh);
  if (old != nullptr && old != hazard.load()) reclaim(old);
}

void read_current() {
  Node* node = current.load();
  hazard.store(node);
  assert(node->canary == kAlive);
  hazard.store(nullptr);
}

int main() {
  for (Node& node : nodes) reclaim(&node);
  replace();
  std::thread reader(read_current);
  replace();
  replace();
  reader.join();
}
