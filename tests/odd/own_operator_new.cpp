// odd: the program replaces operator new and counts what is not given back
// expect: nothing
#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>
#include <thread>
#include <vector>

static std::atomic<int> blocks{0};

void* operator new(std::size_t bytes) {
  ++blocks;
  return std::malloc(bytes);
}
void operator delete(void* memory) noexcept {
  if (memory != nullptr) --blocks;
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }

int main() {
  const int before = blocks;
  {
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i) threads.emplace_back([] { auto own = std::make_unique<int[]>(100); });
    for (std::thread& thread : threads) thread.join();
  }
  return blocks == before ? 0 : 1;
}
