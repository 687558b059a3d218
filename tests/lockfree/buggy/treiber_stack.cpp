// A pool of buffers kept as Treiber's stack, whose head is only a pointer: ABA. One thread takes: it reads the head `a`
// and that `b` is next, and stops. The other takes `a` and `b` and gives `a` back. The head is `a` again, the first
// thread's exchange succeeds, and the head is now `b`, which is in use: the next one to take gets it a second time.
// expect: finds=assertion|race
#include <atomic>
#include <cassert>
#include <thread>

struct Buffer {
  std::atomic<Buffer*> next = nullptr;
  bool is_used = false;  // belongs to whoever has taken the buffer
};

Buffer a, b;
std::atomic<Buffer*> head = nullptr;

void give(Buffer* buffer) {
  buffer->is_used = false;
  Buffer* seen = head.load(std::memory_order_relaxed);
  do {
    buffer->next.store(seen, std::memory_order_relaxed);
  } while (!head.compare_exchange_weak(seen, buffer, std::memory_order_acq_rel));
}

Buffer* take() {
  Buffer* seen = head.load(std::memory_order_acquire);
  while (seen != nullptr) {
    Buffer* next = seen->next.load(std::memory_order_relaxed);
    if (head.compare_exchange_weak(seen, next, std::memory_order_acq_rel)) {
      assert(!seen->is_used);
      seen->is_used = true;
      return seen;
    }
  }
  return nullptr;
}

int main() {
  give(&b);
  give(&a);
  std::thread one([] {
    take();
    take();
  });
  std::thread two([] {
    Buffer* first = take();
    take();
    if (first != nullptr) give(first);
  });
  one.join();
  two.join();
}
