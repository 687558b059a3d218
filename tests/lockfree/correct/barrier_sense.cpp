// A sense-reversing barrier: the last thread sets the count back and then releases the others.
// expect: nothing
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
    missing.store(kThreads, std::memory_order_relaxed);
    sense.store(*my_sense, std::memory_order_release);
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
