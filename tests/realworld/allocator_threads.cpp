// Threads that allocate, hand blocks over and free those of others: work for an allocator with caches of its own.
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace {

constexpr int kThreads = 3;
constexpr int kBlocksEach = 6;

struct Handover {
  std::mutex mutex;
  std::condition_variable filled;
  std::deque<unsigned char*> blocks;
};

std::size_t size_of(int block) { return 16u << (block * 2); }  // the last ones are too large for the caches

void allocate(Handover& handover, int thread) {
  for (int i = 0; i < kBlocksEach; ++i) {
    auto* block = static_cast<unsigned char*>(std::malloc(size_of(i)));
    std::memset(block, thread + 1, size_of(i));
    const std::lock_guard lock(handover.mutex);
    handover.blocks.push_back(block);
    handover.filled.notify_one();
  }
}

unsigned char* take(Handover& handover) {
  std::unique_lock lock(handover.mutex);
  handover.filled.wait(lock, [&] { return !handover.blocks.empty(); });
  unsigned char* block = handover.blocks.front();
  handover.blocks.pop_front();
  return block;
}

}  // namespace

int main() {
  Handover handover;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) threads.emplace_back(allocate, std::ref(handover), thread);
  int sum = 0;
  for (int i = 0; i < kThreads * kBlocksEach; ++i) {
    unsigned char* block = take(handover);
    sum += block[0] == block[15] ? block[0] : 1000;
    std::free(block);
  }
  for (std::thread& thread : threads) thread.join();
  std::printf("sum %d\n", sum);
}
