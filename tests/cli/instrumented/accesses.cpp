// Accesses of every kind, virtual calls and exceptions: instrumented, they do what they did before.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct [[gnu::packed]] Packed {
  char first;
  std::uint16_t two;
  std::uint32_t four;
  std::uint64_t eight;
};

struct Large {
  char bytes[1000];
};

struct Shape {
  virtual ~Shape() = default;
  virtual int corners() const { return 0; }
};

struct Square : Shape {
  int corners() const override { return 4; }
};

volatile int counted = 0;

struct Counter {
  ~Counter() { counted = counted + 1; }
};

[[gnu::noinline]] void throw_below(int depth) {
  const Counter counter;
  if (depth == 0) throw std::runtime_error("from below");
  throw_below(depth - 1);
}

bool check_exceptions() {
  try {
    throw_below(9);
  } catch (const std::runtime_error& error) {
    return error.what() == std::string("from below") && counted == 10;
  }
  return false;
}

bool check_accesses(Packed& packed, Large& from, Large& to) {
  packed.two = 2;
  packed.four = packed.two + 2u;
  packed.eight += packed.four;
  std::memset(&from, 'x', sizeof from);
  to = from;
  std::memmove(to.bytes, to.bytes + 1, sizeof to.bytes - 1);
  return packed.eight == 12 && to.bytes[999] == 'x';
}

}  // namespace

int main() {
  Packed packed{1, 0, 0, 8};
  const auto from = std::make_unique<Large>();
  const auto to = std::make_unique<Large>();
  std::unique_ptr<Shape> shape = std::make_unique<Square>();
  std::vector<long double> wide(3, 0.5L);
  wide[1] += wide[0];
  const bool right = check_exceptions() && check_accesses(packed, *from, *to) && shape->corners() == 4 && wide[1] == 1;
  std::puts(right ? "all right" : "something is wrong");
  return right ? 0 : 1;
}
