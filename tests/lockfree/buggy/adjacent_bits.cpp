// Bit fields that share a byte are one location: two threads that each set their own race.
// expect: finds=race
#include <thread>

struct Flags {
  unsigned char one : 4;
  unsigned char two : 4;
};

Flags flags{};

int main() {
  std::thread first([] { flags.one = 1; });
  std::thread second([] { flags.two = 2; });
  first.join();
  second.join();
}
