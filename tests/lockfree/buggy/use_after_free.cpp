// The owner waits for the flag that the worker sets before its last look at the block, not after it.
// expect: finds=memory-error|race
#include <atomic>
#include <thread>

struct Block {
  int value = 1;
};

std::atomic<bool> done = false;
int seen = 0;

int main() {
  auto* const block = new Block;
  std::thread worker([block] {
    done.store(true, std::memory_order_release);
    seen = block->value;
  });
  while (!done.load(std::memory_order_acquire)) {
  }
  delete block;
  worker.join();
}
