// odd: the constructor of a function-local static throws, and is tried again by another thread
// expect: nothing
#include <stdexcept>
#include <thread>

struct Fragile {
  Fragile() {
    static int calls = 0;
    if (++calls < 3) throw std::runtime_error("not yet");
  }
};

static void use() {
  try {
    static Fragile fragile;
  } catch (const std::runtime_error&) {
  }
}

int main() {
  std::thread one(use);
  std::thread two(use);
  one.join();
  two.join();
}
