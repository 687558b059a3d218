// odd: the program is linked with tcmalloc, whose operator new and malloc must be those of one allocator
// expect: nothing
// build: -ltcmalloc_minimal
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

extern "C" std::size_t tc_malloc_size(void* memory);

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i)
    threads.emplace_back([] {
      void* const memory = std::malloc(100);
      if (tc_malloc_size(memory) < 100) std::abort();
      std::free(memory);
      const std::string text(5000, 'x');
      if (text.size() != 5000) std::abort();
    });
  for (std::thread& thread : threads) thread.join();
}
