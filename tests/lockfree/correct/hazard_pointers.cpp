// Hazard pointers, Michael, 2004: the reader announces the node and then looks whether it is still the current one; if
// so, the writer replaces it later than that and sees the announcement.
// expect: nothing
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
  for (Node* announced = nullptr; node != announced; node = current.load()) {
    hazard.store(node);
    announced = node;
  }
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
