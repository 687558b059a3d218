// 64 MB of globals and 32 MB of heap, filled before `main`, of which the threads change a few pages, by themselves and
// by the kernel. Which pages those are depends on who came first. Each is checked first: another execution's change is
// a failed assertion.
#include <sys/mman.h>
#include <unistd.h>

#include <cassert>
#include <cstddef>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kPages = 16384;

alignas(kPage) unsigned char table[kPages * kPage];

unsigned char expected(std::size_t page) { return static_cast<unsigned char>(page * 7 + 1); }

struct Heap {
  Heap() : bytes(kPages / 2 * kPage) {
    for (std::size_t page = 0; page < kPages; ++page) {
      table[page * kPage] = expected(page);
      bytes[page / 2 * kPage] = expected(page / 2);
    }
  }
  std::vector<unsigned char> bytes;
} heap;

std::mutex lock;
std::size_t steps = 0;

void change(unsigned char& byte, std::size_t page) {
  assert(byte == expected(page));
  byte = 0;
}

void work(std::size_t who) {
  for (std::size_t i = 0; i < 3; ++i) {
    const std::lock_guard guard(lock);
    steps = steps * 31 + who + 1;
    const std::size_t page = steps * 97 % 1024 * 6 + who * 3 + i;  // nobody else's
    change(table[page * kPage], page);
    change(heap.bytes[page * kPage], page);
  }
}

void let_the_kernel_write() {
  assert(table[kPage * 5 + 100] == 0);
  int ends[2];
  assert(pipe(ends) == 0);
  assert(write(ends[1], "x", 1) == 1);
  assert(read(ends[0], table + kPage * 5 + 100, 1) == 1);
  close(ends[0]);
  close(ends[1]);
  madvise(table + kPage * 8192, 1024 * kPage, MADV_DONTNEED);
}

}  // namespace

int main() {
  for (const std::size_t page : {8192, 9000, 9215}) assert(table[page * kPage] == expected(page));
  std::thread one(work, 0);
  std::thread two(work, 1);
  one.join();
  two.join();
  let_the_kernel_write();
  std::printf("%zu\n", steps);
}
