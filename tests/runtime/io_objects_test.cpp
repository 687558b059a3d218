// A step on a descriptor touches what is behind it, and no other object: reduction leaves out what cannot be told
// apart, and nothing else. Generated programs on pipes, pairs, connections, eventfds, copies and epolls are explored
// with and without it, and must show the same.
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/on_both.hpp"

namespace heddle::test {
namespace {

HEDDLE_ON_BOTH(IoObjects);

constexpr std::size_t kThreads = 2;
constexpr std::size_t kSteps = 3;
constexpr int kObjects = 7;
constexpr int kEvent = 5;

enum class Act : std::uint8_t { put, take, ask_epoll, ask_two, hang_up, replace, file_lock, kCount };

struct Step {
  Act act;
  int object;
};
using Program = std::array<std::array<Step, kSteps>, kThreads>;
using Outcome = std::array<int, kThreads * kSteps>;

Program generate(unsigned seed) {
  std::mt19937 random(seed);
  const auto draw = [&](int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); };
  const std::array<int, 2> used = {draw(kObjects), draw(kObjects)};  // few, so that threads meet
  Program program{};
  for (auto& thread : program)
    for (Step& step : thread)
      step = {static_cast<Act>(draw(static_cast<int>(Act::kCount))), used[static_cast<std::size_t>(draw(2))]};
  return program;
}

sockaddr_storage local_address(int family) {  // the kernel chooses the rest
  sockaddr_storage address{};
  address.ss_family = static_cast<sa_family_t>(family);
  if (family == AF_INET) reinterpret_cast<sockaddr_in&>(address).sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

bool is_socket(int object) { return object == 3 || object == 4 || object == 6; }

/// Two pipes, a copy of the first, a pair, a unix connection, an eventfd and a TCP connection; an epoll watches all of
/// them. And a file, which each thread has opened.
class World {
 public:
  World() {
    open_pipe(0);
    open_pipe(1);
    ends_[2] = {keep(dup(ends_[0].first)), keep(dup(ends_[0].second))};
    int pair[2];
    assert(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) == 0);
    ends_[3] = {keep(pair[0]), keep(pair[1])};
    connect_both(4, AF_UNIX);
    connect_both(6, AF_INET);
    const int event = keep(eventfd(0, EFD_NONBLOCK));
    ends_[kEvent] = {event, event};
    files_[0] = keep(memfd_create("locked", 0));
    files_[1] = keep(open(("/proc/self/fd/" + std::to_string(files_[0])).c_str(), O_RDWR));
    epoll_ = keep(epoll_create1(0));
    for (int i = 0; i < kObjects; ++i) {
      epoll_event wish{};
      wish.events = EPOLLIN;
      wish.data.fd = i;
      assert(epoll_ctl(epoll_, EPOLL_CTL_ADD, input(i), &wish) == 0);
    }
  }
  ~World() {
    for (const int descriptor : open_) close(descriptor);
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  int act(const Step& step, int value, std::size_t me) const {
    switch (step.act) {
      case Act::put:
        return put(step.object, value);
      case Act::take:
        return take(step.object);
      case Act::ask_epoll: {
        epoll_event seen{};
        return epoll_wait(epoll_, &seen, 1, 0) == 1 ? seen.data.fd : -1;
      }
      case Act::ask_two: {
        pollfd wanted[2] = {{input(step.object), POLLIN, 0}, {input((step.object + 1) % kObjects), POLLIN, 0}};
        return poll(wanted, 2, 0) * 100 + wanted[0].revents;
      }
      case Act::replace:
        return dup2(input(1), input(0)) >= 0 ? 0 : errno;
      case Act::file_lock:
        return flock(files_[me], (step.object % 2 == 0 ? LOCK_EX : LOCK_UN) | LOCK_NB) == 0 ? 0 : errno;
      default:  // of what is no socket, it fails
        return shutdown(ends_[static_cast<std::size_t>(step.object)].second, SHUT_WR) == 0 ? 0 : errno;
    }
  }

 private:
  int input(int object) const { return ends_[static_cast<std::size_t>(object)].first; }
  int put(int object, int value) const {
    const std::uint64_t word = static_cast<unsigned>(value);
    const int output = ends_[static_cast<std::size_t>(object)].second;
    const std::size_t size = object == kEvent ? sizeof word : 1;
    const ssize_t written = is_socket(object) ? send(output, &word, size, MSG_NOSIGNAL) : write(output, &word, size);
    return written > 0 ? 0 : errno;
  }
  int take(int object) const {
    std::uint64_t word = 0;
    const ssize_t got = read(input(object), &word, object == kEvent ? sizeof word : 1);
    return got < 0 ? -errno : got == 0 ? -1 : static_cast<int>(word);
  }
  int keep(int descriptor) {
    assert(descriptor >= 0);
    open_.push_back(descriptor);
    return descriptor;
  }
  void open_pipe(std::size_t object) {
    int both[2];
    assert(pipe2(both, O_NONBLOCK) == 0);
    ends_[object] = {keep(both[0]), keep(both[1])};
  }
  void connect_both(std::size_t object, int family) {
    sockaddr_storage address = local_address(family);
    socklen_t size = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sa_family_t);
    auto* const name = reinterpret_cast<sockaddr*>(&address);
    const int listener = keep(socket(family, SOCK_STREAM, 0));
    assert(bind(listener, name, size) == 0 && listen(listener, 1) == 0);
    size = sizeof address;
    assert(getsockname(listener, name, &size) == 0);
    const int own = keep(socket(family, SOCK_STREAM, 0));
    assert(connect(own, name, size) == 0);
    assert(fcntl(own, F_SETFL, O_NONBLOCK) == 0);
    ends_[object] = {keep(accept4(listener, nullptr, nullptr, SOCK_NONBLOCK)), own};
  }

  std::array<std::pair<int, int>, kObjects> ends_{};  // of each, where to read and where to write
  std::array<int, kThreads> files_{};
  std::vector<int> open_;
  int epoll_ = -1;
};

std::set<Outcome> outcomes(const Program& program, Options options) {
  std::set<Outcome> seen;
  options.executions = 100'000;
  const Result result = try_explore(
      [&] {
        const World world;
        Outcome outcome{};
        const auto run = [&](std::size_t me) {
          for (std::size_t i = 0; i < kSteps; ++i)
            outcome[me * kSteps + i] = world.act(program[me][i], static_cast<int>(me * kSteps + i + 1), me);
        };
        std::thread other(run, 1);
        run(0);
        other.join();
        seen.insert(outcome);
      },
      options);
  EXPECT_TRUE(result.complete) << result.report;
  return seen;
}

TEST_P(IoObjects, AreToldApartExactly) {
  const unsigned programs = GetParam() == Executor::carrier ? 100 : 10;
  for (unsigned seed = 1; seed <= programs; ++seed) {
    const Program program = generate(seed);
    EXPECT_EQ(outcomes(program, options("dfs:reduce=1")), outcomes(program, options("dfs"))) << "seed " << seed;
  }
}

struct Ends {
  int ends[2];
  Ends() { assert(pipe(ends) == 0); }
  ~Ends() {
    close(ends[0]);
    close(ends[1]);
  }
};

void put_and_take(const Ends& pipe) {
  char byte = 'x';
  assert(write(pipe.ends[1], &byte, 1) == 1);
  assert(read(pipe.ends[0], &byte, 1) == 1);
}

enum class Uses { a_pipe_each, one_pipe, a_mutex_each };

/// How many executions it takes to explore two threads that take two steps each.
std::uint64_t executions_for(Options options, Uses uses) {
  options.executions = 100'000;
  const Result result = try_explore(
      [uses] {
        const Ends pipes[2];
        std::mutex mutexes[2];
        const auto run = [&](int me) {
          if (uses == Uses::a_mutex_each)
            const std::lock_guard lock(mutexes[me]);
          else
            put_and_take(pipes[uses == Uses::one_pipe ? 0 : me]);
        };
        std::thread first(run, 0);
        std::thread second(run, 1);
        first.join();
        second.join();
      },
      options);
  EXPECT_TRUE(result.complete) << result.report;
  EXPECT_FALSE(result.bug_found) << result.report;
  return result.executions;
}

// Steps that have nothing to do with those of the other thread: whether on pipes or on mutexes, reduction sees one
// order of them, and runs as often as it takes to see that. On one pipe they can be mixed in 4! / (2! 2!) = 6 ways.
TEST_P(IoObjects, OfTheirOwnGiveThreadsNothingToOrder) {
  const Options reduced = options("dfs:reduce=1");
  const std::uint64_t apart = executions_for(reduced, Uses::a_pipe_each);
  EXPECT_EQ(apart, executions_for(reduced, Uses::a_mutex_each));
  EXPECT_GE(executions_for(reduced, Uses::one_pipe), apart + 6 - 1);
  EXPECT_LT(10 * apart, executions_for(options("dfs"), Uses::a_pipe_each));
}

}  // namespace
}  // namespace heddle::test
