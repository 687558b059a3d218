// Two threads lock two files, each through files that it opened itself, in opposite order.
// expect: verdict=deadlock message="T1 waits for d\d+, whose file another one has locked, T2 waits for d\d+"
// expect: verdict=deadlock strategy=dfs executions<=100
// expect: verdict=deadlock strategy=portfolio executions<=3 seeds=20
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

void lock_both(const std::string& one, const std::string& other) {
  const int first = open(one.c_str(), O_RDWR);
  const int second = open(other.c_str(), O_RDWR);
  assert(flock(first, LOCK_EX) == 0);
  assert(flock(second, LOCK_EX) == 0);
  assert(flock(second, LOCK_UN) == 0);
  close(second);
  close(first);
}

void test() {
  const std::string a = made_file();
  const std::string b = made_file();
  std::thread one([&] { lock_both(a, b); });
  std::thread two([&] { lock_both(b, a); });
  one.join();
  two.join();
}

int main() { return heddle::explore_main(test); }
