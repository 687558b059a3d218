// A box office that nobody wrote with heddle in mind: `heddle run build/examples/tickets`.
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex lock;
int tickets = 1;

bool is_available() {
  const std::lock_guard guard(lock);
  return tickets > 0;
}

void take() {
  const std::lock_guard guard(lock);
  --tickets;
}

void sell() {
  if (is_available()) take();
}

int main() {
  std::thread one(sell);
  std::thread two(sell);
  one.join();
  two.join();
  std::printf("tickets left: %d\n", tickets);
  return tickets < 0 ? 1 : 0;
}
