// The synchronisation of Abseil: conditional critical sections, a condition variable, a notification, a barrier.
#include <absl/synchronization/barrier.h>
#include <absl/synchronization/blocking_counter.h>
#include <absl/synchronization/mutex.h>
#include <absl/synchronization/notification.h>
#include <absl/time/time.h>

#include <cstdio>
#include <deque>
#include <thread>
#include <vector>

namespace {

constexpr int kProducers = 2;
constexpr int kItemsEach = 3;
constexpr std::size_t kCapacity = 2;

struct Queue {
  absl::Mutex mutex;
  std::deque<int> items ABSL_GUARDED_BY(mutex);

  bool has_room() const { return items.size() < kCapacity; }
  bool has_items() const { return !items.empty(); }

  void put(int item) {
    const absl::MutexLock lock(&mutex, absl::Condition(this, &Queue::has_room));
    items.push_back(item);
  }
  int take() {
    const absl::MutexLock lock(&mutex, absl::Condition(this, &Queue::has_items));
    const int item = items.front();
    items.pop_front();
    return item;
  }
};

}  // namespace

int main() {
  Queue queue;
  absl::Notification begin;
  absl::BlockingCounter ended(kProducers);
  std::vector<std::thread> threads;
  for (int producer = 0; producer < kProducers; ++producer)
    threads.emplace_back([&, producer] {
      begin.WaitForNotification();
      for (int i = 0; i < kItemsEach; ++i) queue.put(producer * kItemsEach + i);
      ended.DecrementCount();
    });
  begin.Notify();
  int sum = 0;
  for (int i = 0; i < kProducers * kItemsEach; ++i) sum += queue.take();
  ended.Wait();

  absl::Mutex mutex;
  absl::CondVar changed;
  int readers = 0;
  auto* barrier = new absl::Barrier(3);
  for (int i = 0; i < 2; ++i)
    threads.emplace_back([&] {
      { const absl::ReaderMutexLock lock(&mutex); }
      {
        const absl::MutexLock lock(&mutex);
        ++readers;
        changed.SignalAll();
      }
      if (barrier->Block()) delete barrier;
    });
  {
    const absl::MutexLock lock(&mutex);
    while (readers < 2) changed.WaitWithTimeout(&mutex, absl::Seconds(60));
  }
  if (barrier->Block()) delete barrier;
  for (std::thread& thread : threads) thread.join();
  std::printf("sum %d, %d readers\n", sum, readers);
}
