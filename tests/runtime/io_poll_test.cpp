// poll, select and epoll: until one of several descriptors is ready, or the time is up.
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <string>
#include <thread>

#include "runtime/on_both.hpp"

namespace heddle::test {
namespace {

using namespace std::chrono_literals;
using Steady = std::chrono::steady_clock;

HEDDLE_ON_BOTH(IoPoll);

const auto kPatient = [](Options& options) { options.time_policy = TimePolicy::patient; };

/// Two pipes and an eventfd, each made ready by a thread of its own; `wait` gives the mask of those that are.
struct Three {
  Three() {
    assert(pipe(first) == 0 && pipe(second) == 0);
    event = eventfd(0, 0);
  }
  ~Three() {
    for (const int descriptor : {first[0], first[1], second[0], second[1], event}) close(descriptor);
  }
  Three(const Three&) = delete;
  Three& operator=(const Three&) = delete;

  void take(unsigned ready) const {
    char byte;
    eventfd_t value;
    if ((ready & 1) != 0) assert(read(first[0], &byte, 1) == 1);
    if ((ready & 2) != 0) assert(read(second[0], &byte, 1) == 1);
    if ((ready & 4) != 0) assert(eventfd_read(event, &value) == 0);
  }

  int first[2], second[2], event;
};

template <typename Wait>
void take_all_three(const Wait& wait, Seen<unsigned>& seen) {
  const Three at;
  std::thread one([&] { assert(write(at.first[1], "x", 1) == 1); });
  std::thread two([&] { assert(write(at.second[1], "x", 1) == 1); });
  std::thread three([&] { assert(eventfd_write(at.event, 1) == 0); });
  for (unsigned taken = 0; taken != 7;) {
    const unsigned ready = wait(at);
    assert(ready != 0 && (ready & taken) == 0);
    if (taken == 0) seen.insert(ready);
    at.take(ready);
    taken |= ready;
  }
  one.join();
  two.join();
  three.join();
}

const Seen<unsigned> kAnyReadyFirst{1, 2, 3, 4, 5, 6, 7};

TEST_P(IoPoll, PollOnSeveral) {
  for (const bool with_mask : {false, true}) {
    Seen<unsigned> seen;
    passes([&] {
      take_all_three(
          [&](const Three& at) {
            pollfd wanted[4] = {{at.first[0], POLLIN, 0}, {at.second[0], POLLIN, 0}, {-1, 0, 0}, {at.event, POLLIN, 0}};
            const int count = with_mask ? ppoll(wanted, 4, nullptr, nullptr) : poll(wanted, 4, -1);
            const unsigned ready = (wanted[0].revents & POLLIN ? 1u : 0) | (wanted[1].revents & POLLIN ? 2u : 0) |
                                   (wanted[3].revents & POLLIN ? 4u : 0);
            assert(count == __builtin_popcount(ready));
            return ready;
          },
          seen);
    });
    EXPECT_EQ(seen, kAnyReadyFirst);
  }
}

TEST_P(IoPoll, SelectOnSeveral) {
  for (const bool with_mask : {false, true}) {
    Seen<unsigned> seen;
    passes([&] {
      take_all_three(
          [&](const Three& at) {
            fd_set set;
            FD_ZERO(&set);
            for (const int descriptor : {at.first[0], at.second[0], at.event}) FD_SET(descriptor, &set);
            const int count = with_mask ? pselect(at.event + 1, &set, nullptr, nullptr, nullptr, nullptr)
                                        : select(at.event + 1, &set, nullptr, nullptr, nullptr);
            const unsigned ready = (FD_ISSET(at.first[0], &set) ? 1u : 0) | (FD_ISSET(at.second[0], &set) ? 2u : 0) |
                                   (FD_ISSET(at.event, &set) ? 4u : 0);
            assert(count == __builtin_popcount(ready));
            return ready;
          },
          seen);
    });
    EXPECT_EQ(seen, kAnyReadyFirst);
  }
}

TEST_P(IoPoll, EpollOnSeveral) {
  for (const unsigned edge : {0u, static_cast<unsigned>(EPOLLET)}) {
    Seen<unsigned> seen;
    passes([&] {
      const int epoll = epoll_create1(EPOLL_CLOEXEC);
      bool added = false;
      take_all_three(
          [&](const Three& at) {
            if (!added) {
              epoll_event first{EPOLLIN | edge, {.u32 = 1}}, second{EPOLLIN | edge, {.u32 = 2}},
                  event{EPOLLIN | edge, {.u32 = 4}};
              assert(epoll_ctl(epoll, EPOLL_CTL_ADD, at.first[0], &first) == 0);
              assert(epoll_ctl(epoll, EPOLL_CTL_ADD, at.second[0], &second) == 0);
              assert(epoll_ctl(epoll, EPOLL_CTL_ADD, at.event, &event) == 0);
              added = true;
            }
            epoll_event got[4];
            const int count = epoll_wait(epoll, got, 4, -1);
            assert(count > 0);
            unsigned ready = 0;
            for (int i = 0; i < count; ++i) ready |= got[i].data.u32;
            return ready;
          },
          seen);
      close(epoll);
    });
    EXPECT_EQ(seen, kAnyReadyFirst);
  }
}

TEST_P(IoPoll, ATimeoutIsAChoice) {
  Seen<int> seen;
  passes([&] {
    int ends[2];
    assert(pipe(ends) == 0);
    std::thread writer([&] { assert(write(ends[1], "x", 1) == 1); });
    const auto start = Steady::now();
    pollfd wanted{ends[0], POLLIN, 7};
    const int ready = poll(&wanted, 1, 5'000);
    assert(ready == (wanted.revents == POLLIN ? 1 : 0));
    if (ready == 0) assert(wanted.revents == 0 && Steady::now() - start >= 5s);
    seen.insert(ready);
    writer.join();
    close(ends[0]);
    close(ends[1]);
  });
  EXPECT_EQ(seen, (Seen<int>{0, 1}));
}

TEST_P(IoPoll, ATimeoutComesLastWhenTimeIsPatient) {
  Seen<int> seen;
  passes(
      [&] {
        int ends[2];
        assert(pipe(ends) == 0);
        std::thread writer([&] { assert(write(ends[1], "x", 1) == 1); });
        pollfd wanted{ends[0], POLLIN, 0};
        seen.insert(poll(&wanted, 1, 1));
        writer.join();
        close(ends[0]);
        close(ends[1]);
      },
      kPatient);
  EXPECT_EQ(seen, (Seen<int>{1}));
}

TEST_P(IoPoll, EveryFormTimesOutInVirtualTime) {
  const auto real_start = Steady::now();
  passes([] {
    int ends[2];
    assert(pipe(ends) == 0);
    const int epoll = epoll_create(1);
    epoll_event wish{EPOLLIN, {.u32 = 1}}, got;
    assert(epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &wish) == 0);
    const auto lasts_an_hour = [](const auto& wait) {
      const auto start = Steady::now();
      assert(wait() == 0);
      assert(Steady::now() - start >= 1h && Steady::now() - start < 1h + 1s);
    };
    constexpr int kHourMs = 3'600'000;
    const timespec hour{3600, 0};
    pollfd wanted{ends[0], POLLIN, 0};
    lasts_an_hour([&] { return poll(&wanted, 1, kHourMs); });
    lasts_an_hour([&] { return poll(nullptr, 0, kHourMs); });
    lasts_an_hour([&] { return ppoll(&wanted, 1, &hour, nullptr); });
    lasts_an_hour([&] { return epoll_wait(epoll, &got, 1, kHourMs); });
    lasts_an_hour([&] { return epoll_pwait(epoll, &got, 1, kHourMs, nullptr); });
    lasts_an_hour([&] { return epoll_pwait2(epoll, &got, 1, &hour, nullptr); });
    lasts_an_hour([&] {
      fd_set set;
      FD_ZERO(&set);
      FD_SET(ends[0], &set);
      timeval left{3600, 0};
      const int ready = select(ends[0] + 1, &set, nullptr, nullptr, &left);
      assert(!FD_ISSET(ends[0], &set) && left.tv_sec == 0 && left.tv_usec == 0);
      return ready;
    });
    lasts_an_hour([&] { return pselect(0, nullptr, nullptr, nullptr, &hour, nullptr); });
    for (const int descriptor : {epoll, ends[0], ends[1]}) close(descriptor);
  });
  EXPECT_LT(Steady::now() - real_start, 60s);
}

TEST_P(IoPoll, WrongUseIsRefusedAsByTheKernel) {
  passes([] {
    pollfd wanted{12'345, POLLIN, 0};
    assert(poll(&wanted, 1, -1) == 1 && wanted.revents == POLLNVAL);
    const timespec wrong{0, -1};
    errno = 0;
    assert(ppoll(&wanted, 1, &wrong, nullptr) == -1 && errno == EINVAL);
    epoll_event got;
    errno = 0;
    assert(epoll_wait(12'345, &got, 1, -1) == -1 && errno == EBADF);
    errno = 0;
    assert(epoll_wait(0, &got, 0, -1) == -1 && errno == EINVAL);
    errno = 0;
    assert(select(-1, nullptr, nullptr, nullptr, nullptr) == -1 && errno == EINVAL);
  });
}

// Only the end that is written to becomes ready; a hang-up is none for select when nobody wants to read.
TEST_P(IoPoll, AWaitForAnExceptionalStateIsNotEndedByAHangUp) {
  finds("deadlock", [] {
    int ends[2];
    assert(pipe(ends) == 0);
    close(ends[1]);
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    select(ends[0] + 1, nullptr, nullptr, &set, nullptr);
  });
}

TEST_P(IoPoll, ADeadlockInPollAndInEpollIsOne) {
  const Result of_poll = finds("deadlock", [] {
    int ends[2];
    assert(pipe(ends) == 0);
    const int event = eventfd(0, 0);
    pollfd wanted[2] = {{ends[0], POLLIN, 0}, {event, POLLIN, 0}};
    poll(wanted, 2, -1);
  });
  EXPECT_EQ(of_poll.message, "T0 waits for one of several descriptors");
  const Result of_epoll = finds("deadlock", [] {
    int ends[2];
    assert(pipe(ends) == 0);
    const int epoll = epoll_create1(0);
    epoll_event wish{EPOLLIN, {.u32 = 1}}, got;
    epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &wish);
    epoll_wait(epoll, &got, 1, -1);
  });
  EXPECT_EQ(of_epoll.message, "T0 waits for d1 to have input");
}

// What is reported to one of two who wait for the same edge is nothing to the other any more.
TEST_P(IoPoll, AnEdgeWakesOne) {
  Seen<int> seen;
  passes([&] {
    int ends[2];
    assert(pipe(ends) == 0);
    const int epoll = epoll_create1(0);
    epoll_event wish{EPOLLIN | EPOLLET, {.u32 = 1}};
    assert(epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &wish) == 0);
    int first = -1, second = -1;
    const auto wait = [&](int& into) {
      epoll_event got;
      into = epoll_wait(epoll, &got, 1, 1'000);
    };
    std::thread one([&] { wait(first); });
    std::thread two([&] { wait(second); });
    assert(write(ends[1], "x", 1) == 1);
    one.join();
    two.join();
    assert(first + second <= 1);
    seen.insert(first * 10 + second);
    for (const int descriptor : {epoll, ends[0], ends[1]}) close(descriptor);
  });
  EXPECT_EQ(seen, (Seen<int>{0, 1, 10}));
}

}  // namespace
}  // namespace heddle::test
