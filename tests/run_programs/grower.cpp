// Allocates, starts threads and frees nothing; its orderings are more than any exploration sees.
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static std::mutex first;
static std::mutex second;
static int count;
static std::vector<std::string>* kept;

static void work(int number) {
  for (int i = 0; i < 3; ++i) {
    {
      const std::lock_guard guard(first);
      ++count;
      kept->push_back(std::string(100 + 10 * static_cast<std::size_t>(number), 'x'));
    }
    const std::lock_guard guard(second);
    --count;
    if (std::malloc(1000) == nullptr) std::abort();
  }
}

int main() {
  kept = new std::vector<std::string>;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
}
