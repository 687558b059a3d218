// A pool of buffers kept as Treiber's stack, whose head is only a pointer: ABA. One thread takes: it reads the head `a`
// and that `b` is next, and stops. The other takes all and gives `a` back. The head is `a` again, the first thread's
// exchange succeeds, and the head is now `b`, which is in use: the next one to take gets it a second time.
// expect: finds=assertion
#include <atomic>
#include <cassert>
#include <thread>

struct Buffer {
  std::atomic<Buffer*> next = nullptr;
};

Buffer a, b;
std::atomic<Buffer*> head = nullptr;

void give(Buffer* buffer) {
  Buffer* seen = head.load(std::memory_order_relaxed);
  do {
    buffer->next.store(seen, std::memory_order_relaxed);
  } while (!head.compare_exchange_weak(seen, buffer, std::memory_order_acq_rel));
}

Buffer* take() {
  Buffer* seen = head.load(std::memory_order_acquire);
  while (seen != nullptr) {
    Buffer* next = seen->next.load(std::memory_order_relaxed);
    if (head.compare_exchange_weak(seen, next, std::memory_order_acq_rel)) return seen;
  }
  return nullptr;
}

Buffer* take_all() { return head.exchange(nullptr, std::memory_order_acq_rel); }

int main() {
  give(&b);
  give(&a);
  Buffer* one_has = nullptr;
  Buffer* two_has = nullptr;
  std::thread one([&] { one_has = take(); });
  std::thread two([&] {
    Buffer* first = take_all();
    Buffer* second = first->next.load(std::memory_order_relaxed);
    give(first);
    two_has = second;
  });
  one.join();
  two.join();
  const Buffer* left = take();
  assert(one_has == nullptr || one_has != two_has);
  assert(left == nullptr || (left != one_has && left != two_has));
}
