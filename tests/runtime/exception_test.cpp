// C++ exceptions that are thrown, in flight and caught in several threads, with switches in between.
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "runtime/on_both.hpp"

namespace heddle::test {
namespace {

HEDDLE_ON_BOTH(Exceptions);

/// Switches while exceptions fly through its frame, and looks how many do in this thread.
struct Switches {
  int expected;
  ~Switches() {
    for (int i = 0; i < 2; ++i) {
      assert(std::uncaught_exceptions() == expected);
      heddle::step();
    }
  }
};

void throw_and_catch(int number) {
  assert(std::uncaught_exceptions() == 0 && std::current_exception() == nullptr);
  try {
    const Switches switches{1};
    throw std::runtime_error("of " + std::to_string(number));
  } catch (const std::runtime_error& caught) {
    assert(std::uncaught_exceptions() == 0);
    heddle::step();
    assert(caught.what() == "of " + std::to_string(number));
    assert(std::current_exception() != nullptr);
  }
  assert(std::current_exception() == nullptr);
}

TEST_P(Exceptions, InFlightAreCountedByThread) {
  passes([] {
    std::thread one(throw_and_catch, 1);
    std::thread two(throw_and_catch, 2);
    throw_and_catch(3);
    one.join();
    two.join();
  });
}

/// Throws another one while the first is in flight.
struct ThrowsInside {
  ~ThrowsInside() {
    assert(std::uncaught_exceptions() == 1);
    try {
      const Switches switches{2};
      throw 2;
    } catch (int value) {
      heddle::step();
      assert(value == 2 && std::uncaught_exceptions() == 1);
    }
  }
};

TEST_P(Exceptions, WithinOneAnother) {
  passes([] {
    const auto nest = [] {
      try {
        const ThrowsInside inside;
        throw 1;
      } catch (int value) {
        heddle::step();
        try {
          throw;
        } catch (int again) {
          heddle::step();
          assert(again == value && value == 1);
        }
      }
    };
    std::thread one(nest);
    std::thread two(nest);
    nest();
    one.join();
    two.join();
  });
}

TEST_P(Exceptions, HandedFromOneThreadToAnother) {
  passes([] {
    std::mutex mutex;
    std::vector<std::exception_ptr> handed;
    const auto hand_over = [&](int value) {
      try {
        throw value;
      } catch (...) {
        const std::lock_guard guard(mutex);
        handed.push_back(std::current_exception());
      }
    };
    std::thread one(hand_over, 1);
    std::thread two(hand_over, 2);
    one.join();
    two.join();
    int sum = 0;
    for (const std::exception_ptr& exception : handed) {
      try {
        std::rethrow_exception(exception);
      } catch (int value) {
        heddle::step();
        sum += value;
      }
    }
    assert(sum == 3);
  });
}

TEST_P(Exceptions, ThroughManyFrames) {
  passes([] {
    const std::function<void(int)> descend = [&](int depth) {
      const Switches switches{1};
      if (depth == 0) throw std::string("deep");
      descend(depth - 1);
    };
    const auto run = [&] {
      try {
        descend(5);
        assert(false);
      } catch (const std::string& text) {
        assert(text == "deep");
      }
    };
    std::thread other(run);
    run();
    other.join();
  });
}

void throw_out(const char* text) { throw std::runtime_error(text); }

TEST_P(Exceptions, OutOfANoexceptFunctionIsAVerdict) {
  const auto may_not_throw = []() noexcept { throw_out("nobody may catch"); };
  const Result result = finds("exception", [&] { std::thread(may_not_throw).join(); });
  EXPECT_EQ(result.message, "uncaught exception std::runtime_error: nobody may catch");
}

}  // namespace
}  // namespace heddle::test
