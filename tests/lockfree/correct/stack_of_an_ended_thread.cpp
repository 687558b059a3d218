// The same as in buggy, with an owner that waits until its object was used. The stack is then another thread's, which
// may use it as it likes.
// expect: nothing
#include <atomic>
#include <thread>

std::atomic<std::atomic<int>*> published{nullptr};

void own() {
  std::atomic<int> local{1};
  published.store(&local);
  while (local.load() == 1) {
  }
}

void use() {
  std::atomic<int>* counter = nullptr;
  while ((counter = published.exchange(nullptr)) == nullptr) {
  }
  counter->fetch_add(1);
}

int main() {
  for (int i = 0; i < 2; ++i) {
    std::thread owner(own);
    use();
    owner.join();
  }
}
