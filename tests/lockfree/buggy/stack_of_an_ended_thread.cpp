// A thread publishes an object in its own frame, and ends without a look at whether it is still in use.
// expect: finds=memory-error
// expect: ignored=memory-error
#include <atomic>
#include <thread>

std::atomic<std::atomic<int>*> published{nullptr};

int main() {
  std::thread owner([] {
    std::atomic<int> local{1};
    published.store(&local);
  });
  std::thread joiner([&] { owner.join(); });
  if (std::atomic<int>* const counter = published.load()) counter->fetch_add(1);
  joiner.join();
}
