// A GoogleTest program as people have them: a queue, a pool, locks, a future, a reader-writer lock.
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <numeric>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

template <typename T>
class Queue {
 public:
  explicit Queue(std::size_t size_max) : size_max_(size_max) {}

  void push(T value) {
    std::unique_lock lock(mutex_);
    not_full_.wait(lock, [&] { return values_.size() < size_max_; });
    values_.push_back(std::move(value));
    not_empty_.notify_one();
  }

  /// False: it was closed, and nothing is left.
  bool pop(T& value) {
    std::unique_lock lock(mutex_);
    not_empty_.wait(lock, [&] { return closed_ || !values_.empty(); });
    if (values_.empty()) return false;
    value = std::move(values_.front());
    values_.pop_front();
    not_full_.notify_one();
    return true;
  }

  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    not_empty_.notify_all();
  }

 private:
  const std::size_t size_max_;
  std::mutex mutex_;
  std::condition_variable not_full_;
  std::condition_variable not_empty_;
  std::deque<T> values_;
  bool closed_ = false;
};

class Pool {
 public:
  explicit Pool(int threads) : tasks_(8) {
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
  }
  ~Pool() {
    tasks_.close();
    for (std::thread& thread : threads_) thread.join();
  }

  template <typename F>
  std::future<std::invoke_result_t<F>> submit(F function) {
    auto task = std::make_shared<std::packaged_task<std::invoke_result_t<F>()>>(std::move(function));
    auto result = task->get_future();
    tasks_.push([task] { (*task)(); });
    return result;
  }

 private:
  void work() {
    for (std::function<void()> task; tasks_.pop(task);) task();
  }

  Queue<std::function<void()>> tasks_;
  std::vector<std::thread> threads_;
};

TEST(Queue, HandsOverEachValueOnce) {
  Queue<int> queue(2);
  std::atomic<int> sum{0};
  std::thread producer([&] {
    for (int i = 1; i <= 10; ++i) queue.push(i);
    queue.close();
  });
  std::thread consumer([&] {
    for (int value; queue.pop(value);) sum += value;
  });
  for (int value; queue.pop(value);) sum += value;
  producer.join();
  consumer.join();
  EXPECT_EQ(sum, 55);
}

TEST(Pool, RunsEveryTask) {
  std::vector<std::future<int>> results;
  {
    Pool pool(3);
    for (int i = 0; i < 10; ++i) results.push_back(pool.submit([i] { return i * i; }));
  }
  int sum = 0;
  for (auto& result : results) sum += result.get();
  EXPECT_EQ(sum, 285);
}

TEST(Pool, HandsOverExceptions) {
  Pool pool(2);
  auto result = pool.submit([]() -> int { throw std::runtime_error("no"); });
  EXPECT_THROW(result.get(), std::runtime_error);
}

TEST(Locks, TwoTakenTogetherKeepTheSum) {
  int balance[2] = {50, 50};
  std::mutex mutexes[2];
  const auto transfer = [&](int from, int to) {
    for (int i = 0; i < 3; ++i) {
      const std::scoped_lock lock(mutexes[from], mutexes[to]);
      balance[from] -= i;
      balance[to] += i;
    }
  };
  std::thread one(transfer, 0, 1);
  std::thread other(transfer, 1, 0);
  one.join();
  other.join();
  EXPECT_EQ(balance[0] + balance[1], 100);
}

TEST(Locks, ReadersSeeWholeWrites) {
  std::shared_mutex mutex;
  std::map<std::string, int> values = {{"a", 0}, {"b", 0}};
  std::thread writer([&] {
    for (int i = 1; i <= 3; ++i) {
      const std::lock_guard lock(mutex);
      values["a"] = i;
      values["b"] = i;
    }
  });
  std::vector<std::thread> readers;
  for (int i = 0; i < 2; ++i)
    readers.emplace_back([&] {
      for (int j = 0; j < 3; ++j) {
        const std::shared_lock lock(mutex);
        EXPECT_EQ(values.at("a"), values.at("b"));
      }
    });
  writer.join();
  for (std::thread& reader : readers) reader.join();
}

TEST(Once, IsDoneOnce) {
  std::once_flag flag;
  int count = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back([&] { std::call_once(flag, [&] { ++count; }); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, 1);
}

TEST(Async, AddsUp) {
  std::vector<int> values(100);
  std::iota(values.begin(), values.end(), 1);
  auto half = [&](auto begin, auto end) {
    return std::async(std::launch::async, [=] { return std::accumulate(begin, end, 0); });
  };
  auto low = half(values.begin(), values.begin() + 50);
  auto high = half(values.begin() + 50, values.end());
  EXPECT_EQ(low.get() + high.get(), 5050);
}

}  // namespace

int main(int count, char** words) {
  testing::InitGoogleTest(&count, words);
  testing::GTEST_FLAG(print_time) = false;
  return RUN_ALL_TESTS();
}
