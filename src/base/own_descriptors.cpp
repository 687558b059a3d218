#include "base/own_descriptors.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <algorithm>

#include "base/raw.hpp"

namespace heddle {

constinit OwnDescriptors own_descriptors;

namespace {

constexpr int kUsualFirst = 900;        // far above what most programs open
constexpr rlim_t kHighestLimit = 1024;  // a window above a higher limit would make each fork slower

rlimit limits() {
  rlimit limit{};
  raw::syscall6(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, reinterpret_cast<long>(&limit), 0, 0);
  return limit;
}

void set_limits(const rlimit& limit) {
  raw::syscall6(SYS_prlimit64, 0, RLIMIT_NOFILE, reinterpret_cast<long>(&limit), 0, 0, 0);
}

/// While it lives, descriptors below `needed` can be made, if the hard limit allows it.
class RaisedLimit {
 public:
  explicit RaisedLimit(int needed) : before_(limits()) {
    const auto wanted = static_cast<rlim_t>(needed);
    is_raised_ = before_.rlim_cur < wanted && before_.rlim_max >= wanted;
    if (is_raised_) set_limits({wanted, before_.rlim_max});
  }
  ~RaisedLimit() {
    if (is_raised_) set_limits(before_);
  }
  RaisedLimit(const RaisedLimit&) = delete;
  RaisedLimit& operator=(const RaisedLimit&) = delete;

 private:
  rlimit before_;
  bool is_raised_ = false;
};

}  // namespace

void OwnDescriptors::choose() {
  const rlimit limit = limits();
  if (limit.rlim_cur > kHighestLimit) {
    first_ = kUsualFirst;
  } else {
    const int most = static_cast<int>(limit.rlim_cur);
    const bool has_room_above = limit.rlim_max >= limit.rlim_cur + kCount;
    first_ = has_room_above ? most : std::max(most - kCount, most / 2);
  }
}

int OwnDescriptors::copy(int descriptor, bool close_on_exec) const {
  const RaisedLimit raised(end());
  return static_cast<int>(
      raw::syscall6(SYS_fcntl, descriptor, close_on_exec ? F_DUPFD_CLOEXEC : F_DUPFD, first_, 0, 0, 0));
}

void OwnDescriptors::restore(int descriptor, int number) const {
  const RaisedLimit raised(end());
  raw::syscall6(SYS_dup3, descriptor, number, O_CLOEXEC, 0, 0, 0);
}

int OwnDescriptors::move(int descriptor, bool close_on_exec) const {
  if (descriptor < 0) return descriptor;
  const int moved = copy(descriptor, close_on_exec);
  raw::syscall6(SYS_close, descriptor, 0, 0, 0, 0, 0);
  return moved;
}

}  // namespace heddle
