// odd: places where races are seen become scheduling points, and the program is rewound all the same
// expect: bug: exit code 1
// build: instrumented
// options: --races promote --executions 2000 --time 10
// never: forked, not rewound
#include <thread>

static int count;

static void work() {
  const int before = count;
  count = before + 1;
}

int main() {
  std::thread one(work);
  std::thread two(work);
  one.join();
  two.join();
  return count == 2 ? 0 : 1;
}
