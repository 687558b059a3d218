// The destructor of a thread_local object takes a lock, which is held by the one who joins the thread.
// expect: verdict=deadlock message="T0 waits for the end of T1, T1 waits for m1 \(held by T0\)"
// expect: verdict=deadlock strategy=dfs executions<=5
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

std::mutex registry;

struct Entry {
  bool used = false;
  ~Entry() { const std::lock_guard guard(registry); }
};

thread_local Entry entry;

void test() {
  const std::lock_guard guard(registry);
  std::thread worker([] { entry.used = true; });
  worker.join();
}

int main() { return heddle::explore_main(test); }
