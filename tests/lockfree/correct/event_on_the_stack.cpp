// The same as in buggy: the flag is the last thing of the event that is touched.
// expect: nothing
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
  event->setters.fetch_add(1);
  event->is_set.store(1);
}

int main() {
  std::thread other(set);
  wait();
  other.join();
}
