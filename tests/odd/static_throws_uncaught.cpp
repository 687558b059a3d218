// odd: the constructor of a function-local static throws, and nobody catches it
// expect: bug: uncaught exception std::runtime_error: no table
#include <stdexcept>
#include <thread>

struct Fragile {
  Fragile() { throw std::runtime_error("no table"); }
};

static void use() { static Fragile fragile; }

int main() {
  std::thread one(use);
  std::thread two(use);
  one.join();
  two.join();
}
