// What the tests of machines on the pool of threads share.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "heddle/actor.hpp"

namespace production {

/// Failures as they come, from any thread.
class Failures {
 public:
  std::function<void(const heddle::Failure&)> sink() {
    return [this](const heddle::Failure& failure) {
      const std::lock_guard lock(mutex_);
      failures_.push_back(failure);
    };
  }
  std::vector<heddle::Failure> all() const {
    const std::lock_guard lock(mutex_);
    return failures_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<heddle::Failure> failures_;
};

inline heddle::RuntimeOptions with(std::uint32_t threads, Failures* failures = nullptr) {
  heddle::RuntimeOptions options;
  options.threads = threads;
  options.seed = 7;
  if (failures != nullptr) options.on_failure = failures->sink();
  return options;
}

/// Every event that was sent was handled or dropped: none is lost, and none comes twice.
inline bool adds_up(const heddle::Metrics& metrics) {
  return metrics.events_sent == metrics.events_handled + metrics.events_dropped;
}

}  // namespace production
