// Locks of ranges that belong to an open file each keep threads out of the same range, and not out of another one.
// expect: passes executions<=1000
// expect: passes strategy=dfs complete
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cassert>
#include <string>
#include <thread>

#include <heddle/heddle.hpp>

int inside = 0;

void set(int file, short type, long at) {
  struct flock range {};
  range.l_type = type;
  range.l_whence = SEEK_SET;
  range.l_start = at;
  range.l_len = 10;
  assert(fcntl(file, F_OFD_SETLKW, &range) == 0);
}

void work(const std::string& path, long own) {
  const int file = open(path.c_str(), O_RDWR);
  set(file, F_WRLCK, own);  // nobody else's: never waits
  set(file, F_WRLCK, 0);
  assert(++inside == 1);
  heddle::step();
  --inside;
  set(file, F_UNLCK, 0);
  close(file);
}

void test() {
  inside = 0;
  const int memory = memfd_create("file", 0);
  const std::string path = "/proc/self/fd/" + std::to_string(memory);  // an open file each
  std::thread one(work, path, 100);
  std::thread two(work, path, 200);
  one.join();
  two.join();
  close(memory);
}

int main() { return heddle::explore_main(test); }
