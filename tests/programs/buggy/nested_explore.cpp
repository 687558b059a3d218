// A body explores another one: heddle says what to do instead.
// expect: verdict=exception message="uncaught exception heddle::WrongUse: heddle::explore was called inside the body"
#include <heddle/heddle.hpp>

void test() {
  heddle::explore([] {});
}

int main() { return heddle::explore_main(test); }
