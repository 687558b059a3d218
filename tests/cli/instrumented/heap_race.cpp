// A race on an object of the heap, which a function made.
#include <thread>

struct Box {
  int value = 0;
  int more[4] = {};
};

__attribute__((noinline)) Box* make_box() { return new Box; }
__attribute__((noinline)) void drop_box(Box* box) { delete box; }

int main(int words, char**) {
  Box* const box = make_box();
  std::thread other([&] {
    if (words > 1)
      drop_box(box);
    else
      box->value = 1;
  });
  box->value = 2;
  other.join();
}
