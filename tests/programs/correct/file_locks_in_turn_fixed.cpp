// Two threads lock two files, each through files that it opened itself, in the same order; what one holds the other
// waits for, until it is unlocked or closed.
// expect: passes executions<=1000
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cassert>
#include <string>
#include <thread>

#include <heddle/heddle.hpp>

/// In memory; whoever opens that path has an open file of its own.
std::string made_file() { return "/proc/self/fd/" + std::to_string(memfd_create("file", 0)); }

void test() {
  static const std::string a = made_file();
  static const std::string b = made_file();
  static int inside;
  inside = 0;
  const auto lock_both = [] {
    const int first = open(a.c_str(), O_RDWR);
    const int second = open(b.c_str(), O_RDWR);
    assert(flock(first, LOCK_EX) == 0);
    assert(flock(second, LOCK_EX) == 0);
    assert(++inside == 1);
    --inside;
    assert(flock(second, LOCK_UN) == 0);
    close(second);
    close(first);  // and so unlocked
  };
  std::thread one(lock_both);
  std::thread two(lock_both);
  one.join();
  two.join();
}

int main() { return heddle::explore_main(test); }
