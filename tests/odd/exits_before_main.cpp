// odd: the constructor of a global ends the program with 0, before main
// expect: nothing
// says: before main
#include <cstdlib>
#include <thread>

struct Leaves {
  Leaves() { std::exit(0); }
};
static Leaves leaves;

int main() {
  std::thread one([] {});
  one.join();
}
