// odd: the initialisation of a function-local static needs itself
// expect: bug: deadlock
#include <thread>

static int value(int depth) {
  static const int result = depth > 0 ? value(depth - 1) : 1;
  return result;
}

int main() {
  std::thread one([] { value(2); });
  one.join();
}
