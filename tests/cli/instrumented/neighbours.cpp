// Two neighbours in memory, written one after the other: a race with one of them is told with that one. The names of
// the variables would be types if they were mangled.
#include <thread>

struct Pair {
  int first = 0;
  int second = 0;
};
Pair x;
char text[64];

__attribute__((noinline)) void write_first() { x.first = 1; }
__attribute__((noinline)) void write_second() { x.second = 2; }
__attribute__((noinline)) void write_text(int words) {
  for (int i = 0; i < 16 * words; ++i) text[i] = 'a';
}
__attribute__((noinline)) int read_one(int words) { return words > 1 ? text[7] : x.first; }

int main(int words, char**) {
  int seen = 0;
  std::thread other([&] { seen = read_one(words); });
  write_first();
  write_second();
  write_text(words);
  other.join();
  return seen > 'a' ? 1 : 0;
}
