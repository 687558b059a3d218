// An event that an epoll reports was written before, and so was all that its writer did before; it need not be read.
// expect: nothing
#include <sys/epoll.h>
#include <sys/eventfd.h>

#include <cassert>
#include <thread>

int payload = 0;

int main() {
  const int event = eventfd(0, 0);
  const int epoll = epoll_create1(0);
  epoll_event wish{};
  wish.events = EPOLLIN;
  assert(epoll_ctl(epoll, EPOLL_CTL_ADD, event, &wish) == 0);
  std::thread sender([&] {
    payload = 42;
    eventfd_write(event, 1);
  });
  epoll_event seen{};
  assert(epoll_wait(epoll, &seen, 1, -1) == 1);
  assert(payload == 42);
  sender.join();
}
