// Algorithms, a pipeline, a group of tasks and containers of TBB, in an arena of three threads.
#include <oneapi/tbb.h>

#include <cstdio>
#include <string>

namespace {

constexpr int kItems = 12;

int squares() {
  return oneapi::tbb::parallel_reduce(
      oneapi::tbb::blocked_range<int>(0, kItems, 2), 0,
      [](const oneapi::tbb::blocked_range<int>& range, int sum) {
        for (int i = range.begin(); i != range.end(); ++i) sum += i * i;
        return sum;
      },
      [](int left, int right) { return left + right; });
}

std::string pipeline() {
  std::string result;
  int next = 0;
  oneapi::tbb::parallel_pipeline(
      4, oneapi::tbb::make_filter<void, int>(oneapi::tbb::filter_mode::serial_in_order,
                                             [&](oneapi::tbb::flow_control& control) {
                                               if (next == kItems) control.stop();
                                               return next++;
                                             }) &
             oneapi::tbb::make_filter<int, char>(oneapi::tbb::filter_mode::parallel,
                                                 [](int item) { return static_cast<char>('a' + item); }) &
             oneapi::tbb::make_filter<char, void>(oneapi::tbb::filter_mode::serial_in_order,
                                                  [&](char letter) { result += letter; }));
  return result;
}

int count_in_containers() {
  oneapi::tbb::concurrent_hash_map<int, int> counts;
  oneapi::tbb::concurrent_queue<int> queue;
  oneapi::tbb::task_group group;
  for (int task = 0; task < 3; ++task)
    group.run([&, task] {
      for (int i = 0; i < 4; ++i) {
        oneapi::tbb::concurrent_hash_map<int, int>::accessor place;
        counts.insert(place, i);
        place->second += task;
        queue.push(i);
      }
    });
  group.wait();
  int sum = 0;
  for (const auto& [key, count] : counts) sum += key * count;
  int item = 0;
  while (queue.try_pop(item)) sum += item;
  return sum;
}

}  // namespace

int main() {
  const oneapi::tbb::global_control threads(oneapi::tbb::global_control::max_allowed_parallelism, 3);
  oneapi::tbb::task_arena arena(3);
  arena.execute([] { std::printf("%d, %s, %d\n", squares(), pipeline().c_str(), count_in_containers()); });
}
