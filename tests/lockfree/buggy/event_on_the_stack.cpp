// The event lies in the frame of the function that waits for it, which returns as soon as it sees the flag. The thread
// that sets the flag touches the event once more.
// expect: finds=memory-error
// expect: ignored=memory-error
#include <atomic>
#include <thread>

struct Event {
  std::atomic<int> is_set{0};
  std::atomic<int> setters{0};
};

std::atomic<Event*> waiting{nullptr};

__attribute__((noinline)) void wait() {
  Event event;
  waiting.store(&event);
  while (event.is_set.load() == 0) {
  }
}

void set() {
  Event* event = nullptr;
  while ((event = waiting.load()) == nullptr) {
  }
  event->is_set.store(1);
  event->setters.fetch_add(1);
}

int main() {
  std::thread other(set);
  wait();
  other.join();
}
