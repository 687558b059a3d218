// The floating-point environment belongs to a thread.
#include <immintrin.h>

#include <cfenv>
#include <cmath>
#include <thread>

#include "runtime/on_both.hpp"

namespace heddle::test {
namespace {

HEDDLE_ON_BOTH(FloatingPoint);

constexpr unsigned kFlushToZero = 1u << 15;  // of MXCSR

double third() {
  volatile double one = 1, three = 3;
  return one / three;
}

long double long_third() {
  volatile long double one = 1, three = 3;
  return one / three;
}

TEST_P(FloatingPoint, RoundingOfOneThreadDoesNotLeakIntoAnother) {
  const double down = [] {
    std::fesetround(FE_DOWNWARD);
    const double result = third();
    std::fesetround(FE_TONEAREST);
    return result;
  }();
  const double up = std::nextafter(down, 1.0);
  passes([&] {
    const auto calculate = [&](int mode, double expected) {
      assert(std::fegetround() == FE_TONEAREST);  // fresh, whatever the last execution left
      std::fesetround(mode);
      const long double long_expected = long_third();
      for (int i = 0; i < 3; ++i) {
        heddle::step();
        assert(std::fegetround() == mode);
        assert(third() == expected);
        assert(long_third() == long_expected);
      }
    };
    std::thread one(calculate, FE_UPWARD, up);
    std::thread two(calculate, FE_DOWNWARD, down);
    heddle::step();
    assert(std::fegetround() == FE_TONEAREST);
    one.join();
    two.join();
  });
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

TEST_P(FloatingPoint, ControlBitsBelongToAThread) {
  passes([] {
    std::thread one([] {
      _mm_setcsr(_mm_getcsr() | kFlushToZero);
      heddle::step();
      assert((_mm_getcsr() & kFlushToZero) != 0);
    });
    std::thread two([] {
      for (int i = 0; i < 3; ++i) {
        assert((_mm_getcsr() & kFlushToZero) == 0);
        heddle::step();
      }
    });
    one.join();
    two.join();
  });
  EXPECT_EQ(_mm_getcsr() & kFlushToZero, 0u);
}

TEST_P(FloatingPoint, IsFreshAfterAnExecutionThatWasLeftInTheMiddle) {
  for (int i = 0; i < 5; ++i) {
    finds("failed", [] {
      assert(std::fegetround() == FE_TONEAREST);
      std::fesetround(FE_UPWARD);
      std::thread other([] {
        assert(std::fegetround() == FE_TONEAREST);
        std::fesetround(FE_DOWNWARD);
        heddle::step();
      });
      heddle::step();
      heddle::fail("with another rounding");
    });
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
  }
}

TEST_P(FloatingPoint, RegistersSurviveASwitch) {
  passes([] {
    const auto sum = [](double seed, bool switches) {
      double a = seed, b = seed * 2, c = seed * 3, d = seed * 4;
      for (int i = 0; i < 4; ++i) {
        if (switches) heddle::step();
        a += b;
        b += c;
        c += d;
        d += seed;
      }
      return a + b + c + d;
    };
    double one = 0, two = 0;
    std::thread first([&] { one = sum(1, true); });
    std::thread second([&] { two = sum(10, true); });
    first.join();
    second.join();
    assert(one == sum(1, false) && two == sum(10, false));
  });
}

}  // namespace
}  // namespace heddle::test
