#include "actor/production/timers.hpp"

#include <algorithm>

namespace heddle::actor {
namespace {

constexpr std::chrono::hours kAges{24 * 365 * 100};  // a deadline that does not overflow

}  // namespace

std::uint32_t Timers::start(ProductionMachine& of, std::chrono::nanoseconds delay, std::chrono::nanoseconds period,
                            EventBox* box) {
  const Timer::Clock::time_point now = Timer::Clock::now();
  auto timer =
      std::make_unique<Timer>(Timer{&of, of.id(), box, now + std::min<std::chrono::nanoseconds>(delay, kAges), period});
  const std::lock_guard lock(mutex_);
  do ++last_number_;
  while (last_number_ == 0 || timers_.contains(last_number_));
  timer->number = last_number_;
  heap_.push_back(nullptr);
  put(heap_.size() - 1, timer.get());
  rise(heap_.size() - 1);
  if (timer->place == 0) changed_.notify_one();
  timer->next = of.timers;
  if (of.timers != nullptr) of.timers->previous = timer.get();
  of.timers = timer.get();
  timers_.emplace(last_number_, std::move(timer));
  if (!thread_.joinable() && !has_ended_) thread_ = std::thread([this] { live(); });
  return last_number_;
}

std::unique_ptr<Timer> Timers::stop(ProductionMachine& of, std::uint32_t number) {
  const std::lock_guard lock(mutex_);
  const auto found = timers_.find(number);
  return found == timers_.end() || found->second->of != &of ? nullptr : remove(number);
}

std::vector<std::unique_ptr<Timer>> Timers::stop_all(ProductionMachine& of) {
  const std::lock_guard lock(mutex_);
  std::vector<std::unique_ptr<Timer>> stopped;
  while (of.timers != nullptr) stopped.push_back(remove(of.timers->number));
  return stopped;
}

std::vector<std::unique_ptr<Timer>> Timers::end() {
  std::thread thread;
  {
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
    changed_.notify_one();
    thread.swap(thread_);
  }
  if (thread.joinable()) thread.join();
  std::vector<std::unique_ptr<Timer>> left;
  for (auto& [number, timer] : timers_) {
    timer->of->timers = nullptr;
    left.push_back(std::move(timer));
  }
  timers_.clear();
  heap_.clear();
  return left;
}

void Timers::live() {
  std::unique_lock lock(mutex_);
  while (!has_ended_) {
    if (heap_.empty()) {
      changed_.wait(lock);
      continue;
    }
    Timer& first = *heap_.front();
    const Timer::Clock::time_point now = Timer::Clock::now();
    if (first.deadline > now) {
      changed_.wait_until(lock, first.deadline);
      continue;
    }
    const MachineId of = first.id;  // may be gone when the event arrives
    EventBox* box = first.box;
    const bool is_last = first.period.count() == 0;
    if (is_last) {
      remove(first.number);
    } else {
      box = copy_(*box);
      first.deadline = std::max(first.deadline + first.period, now);  // missed periods are not made up for
      sink(0);
    }
    lock.unlock();
    fire_(of, box, is_last);
    lock.lock();
  }
}

std::unique_ptr<Timer> Timers::remove(std::uint32_t number) {
  const auto found = timers_.find(number);
  std::unique_ptr<Timer> removed = std::move(found->second);
  timers_.erase(found);
  (removed->previous != nullptr ? removed->previous->next : removed->of->timers) = removed->next;
  if (removed->next != nullptr) removed->next->previous = removed->previous;
  Timer* const last = heap_.back();
  heap_.pop_back();
  if (last == removed.get()) return removed;
  put(removed->place, last);
  rise(last->place);
  sink(last->place);
  return removed;
}

void Timers::put(std::size_t place, Timer* timer) {
  heap_[place] = timer;
  timer->place = place;
}

void Timers::rise(std::size_t place) {
  Timer* const timer = heap_[place];
  for (; place > 0 && timer->is_before(*heap_[(place - 1) / 2]); place = (place - 1) / 2)
    put(place, heap_[(place - 1) / 2]);
  put(place, timer);
}

void Timers::sink(std::size_t place) {
  Timer* const timer = heap_[place];
  for (;;) {
    std::size_t child = 2 * place + 1;
    if (child >= heap_.size()) break;
    if (child + 1 < heap_.size() && heap_[child + 1]->is_before(*heap_[child])) ++child;
    if (timer->is_before(*heap_[child])) break;
    put(place, heap_[child]);
    place = child;
  }
  put(place, timer);
}

}  // namespace heddle::actor
