// 64 MB of globals, filled before `main`; the threads write to a few of its pages.
#include <cstddef>
#include <mutex>
#include <thread>

namespace {

constexpr std::size_t kBytes = 64u << 20;
char table[kBytes];

struct Fill {
  Fill() {
    for (std::size_t at = 0; at < kBytes; at += 64) table[at] = 1;
  }
} const fill;

}  // namespace

int main() {
  std::mutex lock;
  const auto write = [&](std::size_t at) {
    const std::lock_guard guard(lock);
    for (std::size_t page = 0; page < 4; ++page) table[at + page * (1u << 20)] += 1;
  };
  std::thread one(write, 0);
  std::thread two(write, kBytes / 2);
  one.join();
  two.join();
  return table[0] == 2 && table[kBytes / 2] == 2 ? 0 : 1;
}
