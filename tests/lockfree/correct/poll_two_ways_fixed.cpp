// A consumer looks at an atomic flag and at a queue under a lock: it must not wait for the flag alone.
// expect: nothing
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

std::atomic<bool> is_stopped = false;
std::mutex lock;
std::condition_variable taken;
int queued = 0;

void consume() {
  for (; !is_stopped.load(); std::this_thread::yield()) {
    const std::lock_guard guard(lock);
    if (queued == 0) continue;
    --queued;
    taken.notify_one();
  }
}

int main() {
  std::thread consumer(consume);
  {
    std::unique_lock guard(lock);
    ++queued;
    taken.wait(guard, [] { return queued == 0; });
  }
  is_stopped.store(true);
  consumer.join();
}
