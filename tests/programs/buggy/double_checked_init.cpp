// The flag of a double-checked initialisation is set before what it stands for.
// expect: verdict=assertion message="assertion `instance != nullptr` failed"
// expect: verdict=assertion strategy=dfs executions<=50
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

struct Service {
  explicit Service(std::mutex& registry) { const std::lock_guard registered(registry); }
};

void test() {
  std::mutex lock, registry;
  bool is_made = false;
  std::unique_ptr<Service> instance;
  const auto use = [&] {
    if (!is_made) {
      const std::lock_guard guard(lock);
      if (!is_made) {
        is_made = true;
        instance = std::make_unique<Service>(registry);
      }
    }
    assert(instance != nullptr);
  };
  std::thread one(use);
  std::thread two(use);
  one.join();
  two.join();
}

int main() { return heddle::explore_main(test); }
