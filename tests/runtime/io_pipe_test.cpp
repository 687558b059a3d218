// Pipes and eventfds: what would block waits for its descriptor, and the others go on.
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/eventfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "runtime/on_both.hpp"

namespace heddle::test {
namespace {

HEDDLE_ON_BOTH(IoPipe);

class Pipe {
 public:
  explicit Pipe(int flags = 0) { assert(pipe2(ends_, flags) == 0); }
  ~Pipe() {
    close_input();
    close_output();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int input() const { return ends_[0]; }
  int output() const { return ends_[1]; }
  void close_input() { close_end(ends_[0]); }
  void close_output() { close_end(ends_[1]); }

  void put(char byte) const { assert(write(output(), &byte, 1) == 1); }
  char take() const {
    char byte = 0;
    assert(read(input(), &byte, 1) == 1);
    return byte;
  }

 private:
  static void close_end(int& end) {
    if (end >= 0) assert(close(end) == 0);
    end = -1;
  }
  int ends_[2];
};

/// While it lives, a signal that nobody cares about comes to this thread all the time.
class Interruptions {
 public:
  Interruptions() {
    struct sigaction action {};
    action.sa_handler = [](int) {};
    sigaction(kSignal, &action, &before_);
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = kSignal;
    event._sigev_un._tid = gettid();
    timer_create(CLOCK_MONOTONIC, &event, &timer_);
    const itimerspec often{{0, 20'000}, {0, 20'000}};
    timer_settime(timer_, 0, &often, nullptr);
  }
  ~Interruptions() {
    timer_delete(timer_);
    sigaction(kSignal, &before_, nullptr);
  }
  Interruptions(const Interruptions&) = delete;
  Interruptions& operator=(const Interruptions&) = delete;

 private:
  static constexpr int kSignal = SIGURG;
  struct sigaction before_ {};
  timer_t timer_{};
};

// The kernel ends a poll so, even one that does not wait. Taken for "ready", it leads to a read that waits for ever.
TEST_P(IoPipe, IsAskedAgainWhenASignalEndsTheQuestion) {
  const Interruptions often;
  passes([] {
    Pipe there, back;
    std::thread worker([&] {
      for (int i = 0; i < 3; ++i) back.put(there.take());
    });
    for (const char byte : {'a', 'b', 'c'}) {
      there.put(byte);
      assert(back.take() == byte);
    }
    worker.join();
  });
}

TEST_P(IoPipe, CarriesBytesInOrder) {
  passes([] {
    Pipe pipe;
    std::thread producer([&] {
      for (const char byte : {'a', 'b', 'c'}) pipe.put(byte);
    });
    std::string got;
    while (got.size() < 3) got += pipe.take();
    producer.join();
    assert(got == "abc");
  });
}

// Three steps of the other thread, its start, its write and its end. The poll comes before all, between two of them, or
// after them; the read after the poll and the write. The poll in one of the first three places leaves two for the read.
TEST_P(IoPipe, AReaderIsEnabledOnlyWhenThereIsSomethingToRead) {
  Seen<int> ready;
  const std::uint64_t schedules = passes_always([&] {
    int ends[2];
    assert(pipe(ends) == 0);
    std::thread writer([&] { assert(write(ends[1], "x", 1) == 1); });
    pollfd wanted{ends[0], POLLIN, 0};
    ready.insert(poll(&wanted, 1, 0));
    char byte = 0;
    assert(read(ends[0], &byte, 1) == 1 && byte == 'x');
    writer.join();
    close(ends[0]);
    close(ends[1]);
  });
  EXPECT_EQ(schedules, 7u);
  EXPECT_EQ(ready, (Seen<int>{0, 1}));
}

// A byte in a pipe is a unit of a semaphore: who can go on when, and so how many schedules there are, is the same.
TEST_P(IoPipe, HasTheSchedulesOfASemaphore) {
  const auto schedules = [this](const std::function<void()>& put, const std::function<void()>& take) {
    return passes_always([&] {
      std::thread one([&] {
        put();
        take();
      });
      std::thread two(put);
      take();
      put();
      take();
      one.join();
      two.join();
    });
  };
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  const Pipe pipe;
  const std::uint64_t of_pipe = schedules([&] { pipe.put('x'); }, [&] { pipe.take(); });
  EXPECT_EQ(of_pipe, schedules([&] { sem_post(&semaphore); }, [&] { sem_wait(&semaphore); }));
  EXPECT_GT(of_pipe, 10u);
  sem_destroy(&semaphore);
}

TEST_P(IoPipe, ALostByteIsADeadlock) {
  const Result result = finds("deadlock", [] {
    const Pipe pipe;
    pipe.put('x');
    const auto take_if_there = [&] {
      pollfd wanted{pipe.input(), POLLIN, 0};
      if (poll(&wanted, 1, 0) == 1) pipe.take();  // the other may have been faster
    };
    std::thread other(take_if_there);
    take_if_there();
    other.join();
  });
  EXPECT_NE(result.message.find("waits for d"), std::string::npos) << result.message;
  EXPECT_NE(result.message.find("to have input"), std::string::npos) << result.message;
  EXPECT_NE(result.report.find("(descriptor "), std::string::npos) << result.report;
}

TEST_P(IoPipe, ReadersOfEachOthersPipesDeadlock) {
  const Result result = finds("deadlock", [] {
    const Pipe first, second;
    std::thread other([&] {
      first.take();
      second.put('x');
    });
    second.take();
    first.put('x');
    other.join();
  });
  EXPECT_EQ(result.executions, 1u);
  EXPECT_EQ(result.message, "T0 waits for d1 to have input, T1 waits for d2 to have input");
}

TEST_P(IoPipe, TheEndOfTheWriterIsTheEndOfTheInput) {
  passes([] {
    Pipe pipe;
    std::thread reader([&] {
      assert(pipe.take() == 'x');
      char byte;
      assert(read(pipe.input(), &byte, 1) == 0);
    });
    pipe.put('x');
    pipe.close_output();
    reader.join();
  });
}

TEST_P(IoPipe, WritingToNobodyIsAnError) {
  const auto old = std::signal(SIGPIPE, SIG_IGN);
  Seen<int> seen;
  passes([&] {
    Pipe pipe;
    std::thread closer([&] { pipe.close_input(); });
    errno = 0;
    const bool written = write(pipe.output(), "x", 1) == 1;
    seen.insert(written ? 0 : errno);
    closer.join();
  });
  std::signal(SIGPIPE, old);
  EXPECT_EQ(seen, (Seen<int>{0, EPIPE}));
}

// The reader is about to call, and is refused; or it is in the kernel already, which keeps the pipe open for it.
TEST_P(IoPipe, ClosingWhatAnotherReadsFrom) {
  const auto old = std::signal(SIGPIPE, SIG_IGN);
  Seen<std::string> seen;
  passes([&] {
    int ends[2];
    assert(pipe(ends) == 0);
    std::string read_gave, write_gave;
    std::thread reader([&] {
      char byte;
      read_gave = read(ends[0], &byte, 1) == 1 ? "a byte" : errno == EBADF ? "EBADF" : "?";
    });
    close(ends[0]);
    write_gave = write(ends[1], "x", 1) == 1 ? "written" : errno == EPIPE ? "EPIPE" : "?";
    reader.join();
    close(ends[1]);
    seen.insert(read_gave + ", " + write_gave);
  });
  std::signal(SIGPIPE, old);
  EXPECT_EQ(seen, (Seen<std::string>{"EBADF, EPIPE", "a byte, written"}));
}

TEST_P(IoPipe, ClosingDoesNotWakeWhoWaits) {
  finds("deadlock", [] {
    int ends[2];
    assert(pipe(ends) == 0);
    std::thread reader([&] {
      char byte;
      (void)!read(ends[0], &byte, 1);
    });
    close(ends[0]);  // meant to stop the reader
    reader.join();
    close(ends[1]);
  });
}

TEST_P(IoPipe, AWriteLargerThanThePipeWaitsForTheReader) {
  constexpr std::size_t kSize = 200'000;  // a pipe holds 65,536
  const auto fewer = [](Options& options) { options.executions = 50; };
  for (const bool gathered : {false, true})
    passes(
        [&] {
          Pipe pipe;
          std::vector<char> sent(kSize), got;
          for (std::size_t i = 0; i < kSize; ++i) sent[i] = static_cast<char>(i * 7 / 5);
          std::thread writer([&] {
            const iovec parts[3] = {{sent.data(), 100'001}, {nullptr, 0}, {sent.data() + 100'001, kSize - 100'001}};
            const ssize_t written =
                gathered ? writev(pipe.output(), parts, 3) : write(pipe.output(), sent.data(), kSize);
            assert(written == static_cast<ssize_t>(kSize));
            pipe.close_output();
          });
          std::vector<char> part(30'000);
          for (ssize_t size; (size = read(pipe.input(), part.data(), part.size())) > 0;)
            got.insert(got.end(), part.begin(), part.begin() + size);
          writer.join();
          assert(got == sent);
        },
        fewer);
}

TEST_P(IoPipe, AFullPipeThatNobodyReadsIsADeadlock) {
  const Result result = finds("deadlock", [] {
    const Pipe pipe;
    const std::vector<char> bytes(70'000);
    std::thread writer([&] { (void)!write(pipe.output(), bytes.data(), bytes.size()); });
    writer.join();
  });
  EXPECT_EQ(result.message, "T0 waits for the end of T1, T1 waits for d1 to take output");
}

TEST_P(IoPipe, WhatDoesNotBlockNeverWaits) {
  Seen<int> seen;
  passes([&] {
    const Pipe pipe(O_NONBLOCK);
    std::thread writer([&] { pipe.put('x'); });
    char byte;
    errno = 0;
    seen.insert(read(pipe.input(), &byte, 1) == 1 ? 0 : errno);
    writer.join();
  });
  EXPECT_EQ(seen, (Seen<int>{0, EAGAIN}));
}

TEST_P(IoPipe, Eventfd) {
  Seen<eventfd_t> seen;
  passes([&] {
    const int event = eventfd(0, 0);
    std::thread one([&] { assert(eventfd_write(event, 1) == 0); });
    std::thread two([&] {
      const eventfd_t value = 2;
      assert(write(event, &value, sizeof value) == sizeof value);
    });
    eventfd_t first = 0, second = 0;
    assert(eventfd_read(event, &first) == 0);
    if (first != 3) assert(read(event, &second, sizeof second) == sizeof second);
    assert(first + second == 3);
    seen.insert(first);
    one.join();
    two.join();
    close(event);
  });
  EXPECT_EQ(seen, (Seen<eventfd_t>{1, 2, 3}));
}

TEST_P(IoPipe, ACopyIsTheSamePipe) {
  passes([] {
    Pipe pipe;
    const int copy = dup(pipe.output());
    const Pipe place;
    assert(dup2(pipe.input(), place.input()) == place.input());
    std::thread writer([&] { assert(write(copy, "x", 1) == 1); });
    assert(place.take() == 'x');
    writer.join();
    close(copy);
    pipe.close_output();
    char byte;
    assert(read(place.input(), &byte, 1) == 0);
  });
}

TEST_P(IoPipe, AWaitForInputIsACancellationPoint) {
  Seen<bool> seen;
  passes([&] {
    const Pipe pipe;
    pthread_t reader;
    pthread_create(
        &reader, nullptr,
        [](void* argument) -> void* {
          const auto& from = *static_cast<Pipe*>(argument);
          char byte;
          (void)!read(from.input(), &byte, 1);
          return nullptr;
        },
        const_cast<Pipe*>(&pipe));
    assert(pthread_cancel(reader) == 0);
    pipe.put('x');
    void* result = nullptr;
    pthread_join(reader, &result);
    seen.insert(result == PTHREAD_CANCELED);
  });
  EXPECT_EQ(seen, (Seen<bool>{true}));
}

TEST_P(IoPipe, FilesAreNoSchedulingPoints) {
  FILE* const file = std::tmpfile();
  const int descriptor = fileno(file);
  const auto steps = [&](bool with_file) {
    Options made = options("random");
    made.executions = 10;
    return try_explore(
               [&] {
                 if (with_file) {
                   char byte;
                   assert(write(descriptor, "x", 1) == 1);
                   assert(lseek(descriptor, 0, SEEK_SET) == 0);
                   assert(read(descriptor, &byte, 1) == 1 && byte == 'x');
                 }
                 std::thread([] {}).join();
               },
               made)
        .steps;
  };
  EXPECT_EQ(steps(true), steps(false));
  std::fclose(file);
}

// --- the outside ---------------------------------------------------------------------------------------------------

TEST_P(IoPipe, HeddleWaitsForAnAnswerFromOutside) {
  int request[2], reply[2];
  ASSERT_EQ(pipe(request), 0);
  ASSERT_EQ(pipe(reply), 0);
  std::thread server([&] {  // free: it was there before
    for (char byte; read(request[0], &byte, 1) == 1;) {
      ++byte;
      if (write(reply[1], &byte, 1) != 1) break;
    }
  });
  const auto fewer = [](Options& options) { options.executions = 50; };
  passes(
      [&] {
        std::thread other([] {});
        char byte = 'a';
        assert(write(request[1], &byte, 1) == 1);
        assert(read(reply[0], &byte, 1) == 1 && byte == 'b');
        other.join();
      },
      fewer);
  close(request[1]);
  server.join();
  close(request[0]);
  close(reply[0]);
  close(reply[1]);
}

// A deadline costs nothing in virtual time; the answer of another process must have its chance all the same.
TEST_P(IoPipe, AnotherProcessMayAnswerBeforeATimeout) {
  int request[2], reply[2];
  ASSERT_EQ(pipe(request), 0);
  ASSERT_EQ(pipe(reply), 0);
  const pid_t child = fork();
  if (child == 0) {
    close(request[1]);
    for (char byte; read(request[0], &byte, 1) == 1;)
      if (write(reply[1], &byte, 1) != 1) break;
    _exit(0);
  }
  close(request[0]);
  close(reply[1]);
  Seen<int> answered;
  Options made = options("random");
  made.executions = 20;
  const Result result = try_explore(
      [&] {
        char byte = 'a';
        assert(write(request[1], &byte, 1) == 1);
        pollfd wanted{reply[0], POLLIN, 0};
        const int ready = poll(&wanted, 1, 60'000);
        answered.insert(ready);
        if (ready == 0) return;
        assert(read(reply[0], &byte, 1) == 1 && byte == 'a');
      },
      made);
  close(request[1]);
  close(reply[0]);
  waitpid(child, nullptr, 0);
  EXPECT_FALSE(result.bug_found) << result.report;
  EXPECT_TRUE(answered.contains(1));
}

TEST_P(IoPipe, WaitingForTheOutsideInVainIsNoDeadlock) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);  // outside the exploration: anybody may hold it
  Options made = options("random");
  made.executions = 3;
  made.outside_wait = std::chrono::milliseconds(5);
  const Result result = try_explore(
      [&] {
        char byte;
        (void)!read(ends[0], &byte, 1);
      },
      made);
  EXPECT_FALSE(result.bug_found) << result.report;
  EXPECT_EQ(result.cut, 3u);
  EXPECT_NE(result.report.find("3 executions could not go on: T0 waits for d1 to have input: nothing came from outside "
                               "in 5 ms"),
            std::string::npos)
      << result.report;
  close(ends[0]);
  close(ends[1]);
}

/// Exploring a body while another file stands for the standard output.
Result with_output_to(int descriptor, const std::function<Result()>& explore) {
  const int saved = dup(1);
  dup2(descriptor, 1);
  Result result = explore();
  dup2(saved, 1);
  close(saved);
  return result;
}

// How fast the reader of the output is, or whether there is one, must not change a schedule.
TEST_P(IoPipe, TheSameStepsWhereverTheOutputGoes) {
  FILE* const file = std::tmpfile();
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  std::thread drain([&] {
    std::vector<char> bytes(10'000);
    while (read(ends[0], bytes.data(), bytes.size()) > 0) continue;
  });
  const auto explore = [this] {
    Options made = options("random");
    made.executions = 20;
    return try_explore(
        [] {
          const std::vector<char> bytes(100'000, 'x');
          std::thread other([&] { assert(write(1, bytes.data(), 1) == 1); });
          assert(write(1, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
          other.join();
        },
        made);
  };
  const Result to_file = with_output_to(fileno(file), explore);
  const Result to_pipe = with_output_to(ends[1], explore);
  close(ends[1]);
  drain.join();
  close(ends[0]);
  std::fclose(file);
  EXPECT_FALSE(to_file.bug_found || to_pipe.bug_found);
  EXPECT_EQ(to_file.steps, to_pipe.steps);
  EXPECT_EQ(to_file.distinct_schedules, to_pipe.distinct_schedules);
  EXPECT_GT(to_file.distinct_schedules, 1u);
}

TEST_P(IoPipe, AFailedExecutionLeavesNoDescriptorOpen) {
  const auto next_number = [] {
    const int number = dup(0);
    close(number);
    return number;
  };
  const int before = next_number();
  finds("failed", [] {
    int ends[2];
    assert(pipe(ends) == 0);
    heddle::fail("with a pipe open");
  });
  EXPECT_EQ(next_number(), before);
}

}  // namespace
}  // namespace heddle::test
