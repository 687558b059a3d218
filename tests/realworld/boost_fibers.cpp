// Boost.Fiber: fibers that move between three threads, with the locks, conditions and channels of fibers.
#include <boost/fiber/all.hpp>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

namespace {

namespace fibers = boost::fibers;

constexpr int kThreads = 3;
constexpr int kFibers = 4;

struct Shared {
  fibers::mutex mutex;
  fibers::condition_variable_any ended;
  int running = kFibers;
  int sum = 0;
};

void work(Shared& shared, int number) {
  for (int i = 0; i < 2; ++i) {
    {
      const std::lock_guard lock(shared.mutex);
      shared.sum += number;
    }
    boost::this_fiber::yield();  // another thread may go on with it
  }
  const std::lock_guard lock(shared.mutex);
  if (--shared.running == 0) shared.ended.notify_all();
}

void wait_until_ended(Shared& shared) {
  std::unique_lock lock(shared.mutex);
  shared.ended.wait(lock, [&] { return shared.running == 0; });
}

int through_a_channel() {
  fibers::buffered_channel<int> channel(2);
  fibers::fiber producer([&] {
    for (int i = 1; i <= 4; ++i) channel.push(i);
    channel.close();
  });
  int sum = 0;
  for (const int item : channel) sum += item;
  producer.join();
  return sum;
}

}  // namespace

int main() {
  Shared shared;
  fibers::use_scheduling_algorithm<fibers::algo::shared_work>();
  for (int i = 1; i <= kFibers; ++i) fibers::fiber(work, std::ref(shared), i).detach();
  std::vector<std::thread> threads;
  for (int i = 1; i < kThreads; ++i)
    threads.emplace_back([&] {
      fibers::use_scheduling_algorithm<fibers::algo::shared_work>();
      wait_until_ended(shared);
    });
  wait_until_ended(shared);
  for (std::thread& thread : threads) thread.join();
  std::printf("sum %d, %d through a channel\n", shared.sum, through_a_channel());
}
