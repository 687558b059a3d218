// odd: the constructor of a global throws, before main
// expect: bug: the program was killed by signal 6 (Aborted) before main
// says: no table
#include <stdexcept>
#include <thread>

struct Fragile {
  Fragile() { throw std::runtime_error("no table"); }
};
static Fragile fragile;

int main() {
  std::thread one([] {});
  one.join();
}
