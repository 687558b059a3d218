// Threads that write different bytes of one word, fields of one struct and elements of one array do not race.
// expect: nothing
#include <array>
#include <cassert>
#include <thread>

struct Mixed {
  char flag = 0;
  char kind = 0;
  short count = 0;
  int value = 0;
};

Mixed mixed;
std::array<char, 16> bytes;

int main() {
  std::thread one([] {
    mixed.flag = 1;
    mixed.value = 2;
    for (std::size_t i = 0; i < bytes.size(); i += 2) bytes[i] = 1;
  });
  std::thread two([] {
    mixed.kind = 3;
    mixed.count = 4;
    for (std::size_t i = 1; i < bytes.size(); i += 2) bytes[i] = 2;
  });
  one.join();
  two.join();
  assert(mixed.flag == 1 && mixed.kind == 3 && mixed.count == 4 && mixed.value == 2);
  for (std::size_t i = 0; i < bytes.size(); ++i) assert(bytes[i] == (i % 2 == 0 ? 1 : 2));
}
