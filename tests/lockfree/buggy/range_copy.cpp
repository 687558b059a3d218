// A copy of a whole struct reads what another thread writes.
// expect: finds=race
#include <cstring>
#include <thread>

struct Page {
  char bytes[64] = {};
};

Page page, copy;
volatile std::size_t whole = sizeof(Page);  // so that it is a call

int main() {
  std::thread writer([] { page.bytes[40] = 1; });
  std::memcpy(&copy, &page, whole);
  writer.join();
  return copy.bytes[0];
}
