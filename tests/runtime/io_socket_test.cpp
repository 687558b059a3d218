// Sockets: pairs, loopback connections, datagrams; accept and connect in two threads.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "runtime/on_both.hpp"

namespace heddle::test {
namespace {

using namespace std::chrono_literals;

HEDDLE_ON_BOTH(IoSocket);

const auto kFewer = [](Options& options) { options.executions = 100; };

class Pair {
 public:
  explicit Pair(int type = SOCK_STREAM) { assert(socketpair(AF_UNIX, type, 0, ends_) == 0); }
  ~Pair() {
    close(ends_[0]);
    close(ends_[1]);
  }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;
  int operator[](int end) const { return ends_[end]; }

 private:
  int ends_[2];
};

TEST_P(IoSocket, AnEchoThroughAPair) {
  passes([] {
    const Pair pair;
    std::thread echo([&] {
      char bytes[8];
      for (ssize_t size; (size = recv(pair[1], bytes, sizeof bytes, 0)) > 0;)
        assert(send(pair[1], bytes, static_cast<std::size_t>(size), 0) == size);
    });
    for (const char byte : {'a', 'b'}) {
      char back = 0;
      assert(write(pair[0], &byte, 1) == 1);
      assert(read(pair[0], &back, 1) == 1 && back == byte);
    }
    assert(shutdown(pair[0], SHUT_WR) == 0);
    echo.join();
  });
}

/// A listener of either family; `connect_to` connects another socket to it.
struct Listener {
  explicit Listener(int family) : family_(family) {
    descriptor = socket(family, SOCK_STREAM, 0);
    if (family == AF_INET) {
      inet.sin_family = AF_INET;
      inet.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    } else {
      local.sun_family = AF_UNIX;  // without a name: the kernel gives it one that is no file
    }
    size = family == AF_INET ? sizeof inet : sizeof(sa_family_t);
    assert(bind(descriptor, address(), size) == 0 && listen(descriptor, 4) == 0);
    size = sizeof storage;
    assert(getsockname(descriptor, address(), &size) == 0);
  }
  ~Listener() { close(descriptor); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  sockaddr* address() { return reinterpret_cast<sockaddr*>(&storage); }
  int connect_to() {
    const int client = socket(family_, SOCK_STREAM, 0);
    assert(connect(client, address(), size) == 0);
    return client;
  }

  int descriptor;
  union {
    sockaddr_storage storage{};
    sockaddr_in inet;
    sockaddr_un local;
  };
  socklen_t size;

 private:
  int family_;
};

TEST_P(IoSocket, AcceptAndConnectInTwoThreads) {
  for (const int family : {AF_INET, AF_UNIX})
    passes(
        [&] {
          Listener listener(family);
          std::thread server([&] {
            const int peer = accept(listener.descriptor, nullptr, nullptr);
            assert(peer >= 0);
            char bytes[4];
            assert(recv(peer, bytes, 4, MSG_WAITALL) == 4);
            assert(std::memcmp(bytes, "ping", 4) == 0);
            assert(send(peer, "pong", 4, MSG_NOSIGNAL) == 4);
            close(peer);
          });
          const int client = listener.connect_to();
          assert(send(client, "pi", 2, 0) == 2);
          assert(write(client, "ng", 2) == 2);
          char bytes[8];
          std::string got;
          for (ssize_t count; (count = recv(client, bytes, sizeof bytes, 0)) > 0;)
            got.append(bytes, static_cast<std::size_t>(count));
          assert(got == "pong");
          server.join();
          close(client);
        },
        kFewer);
}

TEST_P(IoSocket, EitherOfTwoClientsIsAcceptedFirst) {
  Seen<std::string> seen;
  passes(
      [&] {
        Listener listener(AF_INET);
        const auto say = [&](char name) {
          const int client = listener.connect_to();
          assert(send(client, &name, 1, 0) == 1);
          close(client);
        };
        std::thread one(say, 'a');
        std::thread two(say, 'b');
        std::string order;
        for (int i = 0; i < 2; ++i) {
          const int peer = accept4(listener.descriptor, nullptr, nullptr, SOCK_CLOEXEC);
          char name = 0;
          assert(recv(peer, &name, 1, 0) == 1);
          order += name;
          close(peer);
        }
        seen.insert(order);
        one.join();
        two.join();
      },
      kFewer);
  EXPECT_EQ(seen, (Seen<std::string>{"ab", "ba"}));
}

TEST_P(IoSocket, TheSameSeedTakesTheSameSteps) {
  const auto explore = [this] {
    Options made = options("random");
    made.executions = 100;
    return try_explore(
        [] {
          Listener listener(AF_INET);
          const auto client = [&] {
            const int mine = listener.connect_to();
            char byte = 'x';
            assert(send(mine, &byte, 1, 0) == 1 && recv(mine, &byte, 1, 0) == 1);
            close(mine);
          };
          std::thread one(client);
          std::thread two(client);
          for (int i = 0; i < 2; ++i) {
            const int peer = accept(listener.descriptor, nullptr, nullptr);
            char byte;
            assert(recv(peer, &byte, 1, 0) == 1 && send(peer, &byte, 1, 0) == 1);
            close(peer);
          }
          one.join();
          two.join();
        },
        made);
  };
  const Result first = explore(), second = explore();
  EXPECT_FALSE(first.bug_found) << first.report;
  EXPECT_EQ(first.steps, second.steps);
  EXPECT_EQ(first.distinct_schedules, second.distinct_schedules);
}

TEST_P(IoSocket, ConnectingToNobodyIsRefused) {
  passes(
      [] {
        sockaddr_in nobody{};
        {
          Listener listener(AF_INET);
          nobody = listener.inet;
        }
        const int client = socket(AF_INET, SOCK_STREAM, 0);
        errno = 0;
        assert(connect(client, reinterpret_cast<sockaddr*>(&nobody), sizeof nobody) == -1 && errno == ECONNREFUSED);
        assert((fcntl(client, F_GETFL) & O_NONBLOCK) == 0);
        close(client);
      },
      kFewer);
}

TEST_P(IoSocket, ManyClientsOfALocalListenerWaitToBeAccepted) {
  passes(
      [] {
        Listener listener(AF_UNIX);
        assert(listen(listener.descriptor, 0) == 0);  // one may wait; more are told to come again
        std::vector<std::thread> clients;
        for (int i = 0; i < 3; ++i) clients.emplace_back([&] { close(listener.connect_to()); });
        for (int i = 0; i < 3; ++i) close(accept(listener.descriptor, nullptr, nullptr));
        for (std::thread& client : clients) client.join();
      },
      kFewer);
}

TEST_P(IoSocket, ASendLargerThanTheBufferWaitsForTheReader) {
  constexpr std::size_t kSize = 1'000'000;
  for (const bool as_message : {false, true})
    passes(
        [&] {
          const Pair pair;
          std::vector<char> sent(kSize);
          for (std::size_t i = 0; i < kSize; ++i) sent[i] = static_cast<char>(i * 7 / 5);
          std::thread sender([&] {
            iovec parts[2] = {{sent.data(), 300'001}, {sent.data() + 300'001, kSize - 300'001}};
            msghdr message{};
            message.msg_iov = parts;
            message.msg_iovlen = 2;
            const ssize_t count = as_message ? sendmsg(pair[0], &message, 0) : send(pair[0], sent.data(), kSize, 0);
            assert(count == static_cast<ssize_t>(kSize));
          });
          std::vector<char> got(kSize);
          assert(recv(pair[1], got.data(), kSize, MSG_WAITALL) == static_cast<ssize_t>(kSize));
          assert(got == sent);
          sender.join();
        },
        [](Options& options) { options.executions = 5; });
}

TEST_P(IoSocket, DatagramsKeepTheirBounds) {
  passes([] {
    const Pair pair(SOCK_DGRAM);
    std::thread sender([&] {
      iovec parts[2] = {{const_cast<char*>("one"), 3}, {const_cast<char*>("three"), 5}};
      mmsghdr messages[2]{};
      for (int i = 0; i < 2; ++i) {
        messages[i].msg_hdr.msg_iov = &parts[i];
        messages[i].msg_hdr.msg_iovlen = 1;
      }
      assert(sendmmsg(pair[0], messages, 2, 0) == 2 && messages[1].msg_len == 5);
      assert(sendto(pair[0], "four", 4, 0, nullptr, 0) == 4);
    });
    char bytes[3][8];
    iovec parts[3] = {{bytes[0], 8}, {bytes[1], 8}, {bytes[2], 8}};
    mmsghdr messages[2]{};
    for (int i = 0; i < 2; ++i) {
      messages[i].msg_hdr.msg_iov = &parts[i];
      messages[i].msg_hdr.msg_iovlen = 1;
    }
    assert(recvmmsg(pair[1], messages, 2, 0, nullptr) == 2);
    assert(messages[0].msg_len == 3 && messages[1].msg_len == 5);
    msghdr last{};
    last.msg_iov = &parts[2];
    last.msg_iovlen = 1;
    assert(recvmsg(pair[1], &last, 0) == 4 && std::memcmp(bytes[2], "four", 4) == 0);
    sender.join();
  });
}

TEST_P(IoSocket, WhatDoesNotWaitComesBackAtOnce) {
  Seen<int> seen;
  passes([&] {
    const Pair pair;
    std::thread sender([&] { assert(send(pair[0], "x", 1, 0) == 1); });
    char byte;
    errno = 0;
    seen.insert(recv(pair[1], &byte, 1, MSG_DONTWAIT) == 1 ? 0 : errno);
    sender.join();
  });
  EXPECT_EQ(seen, (Seen<int>{0, EAGAIN}));
}

TEST_P(IoSocket, ATimeoutOfTheSocketIsAChoiceInVirtualTime) {
  Seen<int> seen;
  passes([&] {
    const Pair pair;
    const timeval hour{3600, 0};
    assert(setsockopt(pair[1], SOL_SOCKET, SO_RCVTIMEO, &hour, sizeof hour) == 0);
    std::thread sender([&] { assert(send(pair[0], "x", 1, 0) == 1); });
    const auto start = std::chrono::steady_clock::now();
    char byte;
    errno = 0;
    const bool got = recv(pair[1], &byte, 1, 0) == 1;
    if (!got) assert(errno == EAGAIN && std::chrono::steady_clock::now() - start >= 1h);
    seen.insert(got);
    sender.join();
  });
  EXPECT_EQ(seen, (Seen<int>{0, 1}));
}

TEST_P(IoSocket, ANonBlockingConnectIsReadyWhenItIsDone) {
  passes(
      [] {
        Listener listener(AF_INET);
        std::thread server([&] { close(accept(listener.descriptor, nullptr, nullptr)); });
        const int client = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        const int result = connect(client, listener.address(), listener.size);
        assert(result == 0 || errno == EINPROGRESS);
        pollfd wanted{client, POLLOUT, 0};
        assert(poll(&wanted, 1, -1) == 1 && (wanted.revents & POLLOUT) != 0);
        server.join();
        close(client);
      },
      kFewer);
}

TEST_P(IoSocket, BothEndsInThisProcessWaitingIsADeadlock) {
  for (const int family : {AF_INET, AF_UNIX}) {
    const Result result = finds("deadlock", [&] {
      Listener listener(family);
      std::thread server([&] {
        const int peer = accept(listener.descriptor, nullptr, nullptr);
        char byte;
        (void)!recv(peer, &byte, 1, 0);
      });
      const int client = listener.connect_to();
      char byte;
      (void)!recv(client, &byte, 1, 0);  // neither speaks first
      server.join();
    });
    EXPECT_NE(result.message.find("T0 waits for d"), std::string::npos) << result.message;
    EXPECT_NE(result.message.find("T1 waits for d"), std::string::npos) << result.message;
  }
}

TEST_P(IoSocket, AcceptingWhatNobodyConnectsToIsNoDeadlock) {
  Options made = options("random");
  made.executions = 2;
  made.outside_wait = 5ms;
  const Result result = try_explore(
      [] {
        const Listener listener(AF_INET);
        accept(listener.descriptor, nullptr, nullptr);  // anybody on this machine could
      },
      made);
  EXPECT_FALSE(result.bug_found) << result.report;
  EXPECT_EQ(result.cut, 2u);
}

}  // namespace
}  // namespace heddle::test
