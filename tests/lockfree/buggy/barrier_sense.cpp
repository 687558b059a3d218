// A sense-reversing barrier whose last thread releases the others before it sets the count back: the other leaves,
// comes to the second round, lowers the count from zero and waits. Only then is the count set back to two, which
// forgets that arrival: the last thread comes to the second round, is taken for the first, and both wait for ever.
// expect: finds=livelock|deadlock
#include <atomic>
#include <cassert>
#include <thread>

constexpr int kThreads = 2;
constexpr int kRounds = 2;

std::atomic<int> missing = kThreads;
std::atomic<bool> sense = false;
int steps[kRounds][kThreads];

void arrive_and_wait(bool* my_sense) {
  *my_sense = !*my_sense;
  if (missing.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    sense.store(*my_sense, std::memory_order_release);
    missing.store(kThreads, std::memory_order_relaxed);
  } else {
    while (sense.load(std::memory_order_acquire) != *my_sense) {
    }
  }
}

void run(int me) {
  bool my_sense = false;
  for (int round = 0; round < kRounds; ++round) {
    steps[round][me] = 1;
    arrive_and_wait(&my_sense);
    assert(steps[round][1 - me] == 1);
  }
}

int main() {
  std::thread one(run, 1);
  run(0);
  one.join();
}
