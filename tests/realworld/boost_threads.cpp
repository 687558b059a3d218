// Boost.Thread: futures with continuations, a lock that several read, a barrier, a queue, interruption.
#define BOOST_THREAD_VERSION 4
#include <boost/thread.hpp>
#include <boost/thread/barrier.hpp>
#include <boost/thread/future.hpp>
#include <boost/thread/shared_mutex.hpp>
#include <boost/thread/sync_bounded_queue.hpp>
#include <cstdio>

namespace {

int through_a_queue() {
  boost::concurrent::sync_bounded_queue<int> queue(2);
  boost::thread producer([&] {
    for (int i = 1; i <= 4; ++i) queue.push_back(i);
    queue.close();
  });
  int sum = 0;
  int item = 0;
  while (queue.wait_pull_front(item) == boost::concurrent::queue_op_status::success) sum += item;
  producer.join();
  return sum;
}

int upgraded() {
  boost::upgrade_mutex mutex;
  boost::barrier begin(3);
  int value = 0;
  boost::thread_group threads;
  for (int i = 0; i < 2; ++i)
    threads.create_thread([&] {
      begin.wait();
      boost::upgrade_lock<boost::upgrade_mutex> lock(mutex);
      const int seen = value;
      const boost::upgrade_to_unique_lock<boost::upgrade_mutex> alone(lock);
      value = seen + 1;
    });
  threads.create_thread([&] {
    begin.wait();
    const boost::shared_lock<boost::upgrade_mutex> lock(mutex);
  });
  threads.join_all();
  return value;
}

bool interrupted() {
  bool seen = false;
  boost::mutex mutex;
  boost::condition_variable never;
  boost::thread waiter([&] {
    boost::unique_lock<boost::mutex> lock(mutex);
    try {
      for (;;) never.wait(lock);
    } catch (const boost::thread_interrupted&) {
      seen = true;
    }
  });
  waiter.interrupt();
  waiter.join();
  return seen;
}

}  // namespace

int main() {
  boost::future<int> answer =
      boost::async(boost::launch::async, [] { return 6; }).then([](boost::future<int> six) { return six.get() * 7; });
  std::printf("answer %d, sum %d, value %d, %s\n", answer.get(), through_a_queue(), upgraded(),
              interrupted() ? "interrupted" : "not interrupted");
}
