// odd: a handler of a signal that a thread sent to itself crashes
// expect: bug: segmentation fault
// build: instrumented
// options: --races ignore --executions 20
#include <csignal>
#include <thread>

static volatile int* nowhere = nullptr;

static void on_signal(int) { *nowhere = 1; }

int main() {
  std::signal(SIGUSR1, on_signal);
  std::thread thread([] { std::raise(SIGUSR1); });
  thread.join();
}
