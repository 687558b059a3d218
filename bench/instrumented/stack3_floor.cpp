// The floor of stack3.cpp, in a file that is not instrumented.
#include "../floor.hpp"

#include "../figures.hpp"
#include "stack_program.hpp"

namespace {

struct OnFloor {
  using Thread = bench::Floor::Thread;

  template <typename Value>
  class Atomic {
   public:
    explicit Atomic(Value value) : value_(value) {}
    Value load() const {
      bench::Floor::floor.point();
      return value_;
    }
    bool compare_exchange_strong(Value& expected, Value wanted) {
      bench::Floor::floor.point();
      const bool is_equal = value_ == expected;
      (is_equal ? value_ : expected) = is_equal ? wanted : value_;
      return is_equal;
    }

   private:
    Value value_;
  };
};

}  // namespace

double stack3_on_floor_ns(int executions) {
  return bench::nanoseconds([&] {
           for (int i = 0; i < executions; ++i) bench::Floor::floor.run(bench::stack3<OnFloor>);
         }) /
         executions;
}
