// Of two sources in two languages.
#include <cstdio>

extern "C" int part(int more);

int main() {
  std::printf("%d\n", part(2));
  return 0;
}
