// Locks of fcntl and lockf belong to the process: one thread does not keep another out.
// expect: verdict=assertion message="assertion `\+\+inside == 1` failed"
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cassert>
#include <thread>

#include <heddle/heddle.hpp>

int inside = 0;

void work(int file) {
  assert(lockf(file, F_LOCK, 0) == 0);
  assert(++inside == 1);
  heddle::step();
  --inside;
  assert(lockf(file, F_ULOCK, 0) == 0);
}

void test() {
  inside = 0;
  const int file = memfd_create("file", 0);
  std::thread one(work, file);
  std::thread two(work, file);
  one.join();
  two.join();
  close(file);
}

int main() { return heddle::explore_main(test); }
