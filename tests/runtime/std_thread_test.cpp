// std::thread, std::jthread, and what carries results between threads, with no change to the source.
#include <chrono>
#include <future>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "runtime/on_both.hpp"

namespace heddle::test {
namespace {

HEDDLE_ON_BOTH(StdThread);

TEST_P(StdThread, RunsWithItsArguments) {
  passes([] {
    auto owned = std::make_unique<int>(7);
    int seen = 0;
    std::thread thread([&](std::unique_ptr<int> mine, const std::string& text) { seen = *mine + int(text.size()); },
                       std::move(owned), "four");
    thread.join();
    assert(seen == 11);
  });
}

TEST_P(StdThread, HasAnIdOfItsOwn) {
  passes([] {
    std::mutex lock;
    std::vector<std::thread::id> ids = {std::this_thread::get_id()};
    const auto note = [&] {
      const auto mine = std::this_thread::get_id();
      const std::lock_guard guard(lock);
      assert(std::this_thread::get_id() == mine);
      ids.push_back(mine);
    };
    std::thread one(note);
    std::thread two(note);
    const auto first = one.get_id();
    const auto second = two.get_id();
    one.join();
    two.join();
    assert(ids.size() == 3 && ids[0] == std::this_thread::get_id());
    assert(first != second && first != ids[0] && second != ids[0]);
    assert((ids[1] == first && ids[2] == second) || (ids[1] == second && ids[2] == first));
  });
}

TEST_P(StdThread, MakesThreadsOfItsOwn) {
  passes([] {
    std::mutex lock;
    int leaves = 0;
    const std::function<void(int)> grow = [&](int height) {
      if (height == 0) {
        const std::lock_guard guard(lock);
        ++leaves;
        return;
      }
      std::thread left(grow, height - 1);
      std::thread right(grow, height - 1);
      left.join();
      right.join();
    };
    grow(3);
    assert(leaves == 8);
  });
}

TEST_P(StdThread, DetachedIsWaitedForAtTheEnd) {
  int ended = 0;
  const std::uint64_t schedules = passes_always([&] {
    std::thread([&] {
      heddle::step();
      ++ended;
    }).detach();
  });
  EXPECT_EQ(ended, static_cast<int>(schedules) + 1);  // and the run that is not counted
}

TEST_P(StdThread, JthreadIsAskedToStop) {
  passes([] {
    bool stopped = false;
    {
      std::jthread thread([&](std::stop_token token) {
        while (!token.stop_requested()) std::this_thread::yield();
        stopped = true;
      });
    }
    assert(stopped);
  });
}

TEST_P(StdThread, StopCallbackRunsOnceWhoeverComesFirst) {
  Seen<bool> in_requester;
  passes([&] {
    std::stop_source source;
    std::mutex lock;
    int called = 0;
    const auto requester = std::this_thread::get_id();
    std::thread other([&] {
      const std::stop_callback callback(source.get_token(), [&] {
        const std::lock_guard guard(lock);
        ++called;
        in_requester.insert(std::this_thread::get_id() == requester);
      });
      heddle::step();
      heddle::step();
    });
    heddle::step();
    const bool was_first = source.request_stop();
    assert(was_first);
    other.join();
    assert(called <= 1);
  });
  EXPECT_EQ(in_requester, (Seen<bool>{false, true}));
}

TEST_P(StdThread, FutureBringsTheValue) {
  passes([] {
    std::promise<std::string> promise;
    std::future<std::string> future = promise.get_future();
    std::thread thread([&] { promise.set_value("done"); });
    assert(future.get() == "done");
    thread.join();
  });
}

TEST_P(StdThread, FutureBringsTheException) {
  passes([] {
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    std::thread thread([&] {
      try {
        throw std::runtime_error("from there");
      } catch (...) {
        promise.set_exception(std::current_exception());
      }
    });
    std::string what;
    try {
      future.get();
    } catch (const std::runtime_error& error) {
      what = error.what();
    }
    assert(what == "from there");
    thread.join();
  });
}

TEST_P(StdThread, FutureOfABrokenPromiseThrows) {
  passes([] {
    std::future<int> future;
    std::thread thread;
    {
      std::promise<int> promise;
      future = promise.get_future();
      thread = std::thread([kept = std::move(promise)] { heddle::step(); });
    }
    bool broken = false;
    try {
      future.get();
    } catch (const std::future_error& error) {
      broken = error.code() == std::future_errc::broken_promise;
    }
    assert(broken);
    thread.join();
  });
}

TEST_P(StdThread, SharedFutureWakesAllWhoWait) {
  passes([] {
    std::promise<int> promise;
    const std::shared_future<int> future = promise.get_future().share();
    int sum = 0;
    std::mutex lock;
    const auto add = [&] {
      const int value = future.get();
      const std::lock_guard guard(lock);
      sum += value;
    };
    std::thread one(add);
    std::thread two(add);
    promise.set_value(4);
    one.join();
    two.join();
    assert(sum == 8);
  });
}

TEST_P(StdThread, WaitForAFutureIsReadyOrTimesOut) {
  Seen<std::future_status> seen;
  passes([&] {
    std::promise<void> promise;
    std::future<void> future = promise.get_future();
    std::thread thread([&] { promise.set_value(); });
    seen.insert(future.wait_for(std::chrono::milliseconds(5)));
    thread.join();
    assert(future.wait_for(std::chrono::seconds(0)) == std::future_status::ready);
  });
  EXPECT_EQ(seen, (Seen<std::future_status>{std::future_status::ready, std::future_status::timeout}));
}

TEST_P(StdThread, AsyncRunsInAThreadOfItsOwn) {
  passes([] {
    const auto here = std::this_thread::get_id();
    auto one = std::async(std::launch::async, [] { return std::this_thread::get_id(); });
    auto two = std::async(
        std::launch::async, [](int x) { return 2 * x; }, 21);
    assert(two.get() == 42);
    assert(one.get() != here);
  });
}

TEST_P(StdThread, AsyncThatNobodyAsksIsWaitedForByItsFuture) {
  passes([] {
    bool ended = false;
    {
      const auto future = std::async(std::launch::async, [&] {
        heddle::step();
        ended = true;
      });
    }
    assert(ended);
  });
}

TEST_P(StdThread, DeferredAsyncRunsInWhoAsks) {
  passes([] {
    auto future = std::async(std::launch::deferred, [] { return std::this_thread::get_id(); });
    assert(future.wait_for(std::chrono::seconds(1)) == std::future_status::deferred);
    std::thread::id there;
    std::thread thread([&] {
      there = std::this_thread::get_id();
      assert(future.get() == there);
    });
    thread.join();
  });
}

TEST_P(StdThread, AsyncBringsTheException) {
  passes([] {
    auto future = std::async(std::launch::async, []() -> int { throw std::out_of_range("far"); });
    bool caught = false;
    try {
      future.get();
    } catch (const std::out_of_range&) {
      caught = true;
    }
    assert(caught);
  });
}

TEST_P(StdThread, PackagedTaskRunsElsewhere) {
  passes([] {
    std::packaged_task<int(int, int)> task([](int a, int b) { return a * b; });
    std::future<int> product = task.get_future();
    std::thread thread(std::move(task), 6, 7);
    assert(product.get() == 42);
    thread.join();
  });
}

TEST_P(StdThread, ExceptionOutOfTheBodyIsAVerdict) {
  const Result result = finds("exception", [] {
    std::thread thread([] {});
    thread.join();
    throw std::runtime_error("out of the body");
  });
  EXPECT_EQ(result.message, "uncaught exception std::runtime_error: out of the body");
}

TEST_P(StdThread, ExceptionThatIsNoStdExceptionIsAVerdict) {
  const Result result = finds("exception", [] { std::thread([] { throw 7; }).join(); });
  EXPECT_EQ(result.message, "uncaught exception int");
}

}  // namespace
}  // namespace heddle::test
