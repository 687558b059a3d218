// The program that the handmade traces of these tests are about. Nobody builds it: the reports quote its lines.
#include <cassert>
#include <mutex>
#include <thread>

int balance[2] = {60, 40};
std::mutex from, to;

void transfer(int a, int b) {
  int seen;
  from.lock();
  seen = balance[a];
  from.unlock();
  const int amount = 10;
  to.lock();
  balance[b] = seen + amount;
  to.unlock();
}

void worker(int a, int b) { transfer(a, b); }

void check(int);

int main() {
  using std::thread;

  thread first(worker, 0, 1);
  thread second(worker, 1, 0);
  first.join();
  second.join();
  check(balance[0] + balance[1]);
}

void check(int total) { assert(total == 100); }
