// A block that one thread frees another may get from the heap at once: it is a new object, and nobody races for it.
// expect: nothing
#include <cassert>
#include <memory>
#include <thread>

void use(int value) {
  for (int i = 0; i < 3; ++i) {
    const auto block = std::make_unique<int>(value);
    *block += 1;
    assert(*block == value + 1);
  }
}

int main() {
  std::thread one(use, 1);
  std::thread two(use, 2);
  use(3);
  one.join();
  two.join();
}
