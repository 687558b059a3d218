// Store buffering with relaxed accesses and a fence between the two of each thread: not both read 0, on any machine.
// A fence accesses no memory and is not counted.
// outcome: r1=0 r2=1
// outcome: r1=1 r2=0
// outcome: r1=1 r2=1
// interleavings: 6
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> x = 0, y = 0;
int r1 = 0, r2 = 0;

int main() {
  std::thread one([] {
    x.store(1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    r1 = y.load(std::memory_order_relaxed);
  });
  std::thread two([] {
    y.store(1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    r2 = x.load(std::memory_order_relaxed);
  });
  one.join();
  two.join();
  std::printf("r1=%d r2=%d\n", r1, r2);
}
