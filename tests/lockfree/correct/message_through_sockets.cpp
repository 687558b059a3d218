// What one end of a connection sends, the other end receives: that orders what was written before and is read after.
// expect: nothing
#include <sys/socket.h>
#include <sys/un.h>

#include <cassert>
#include <cstddef>
#include <thread>

int payload = 0;

int main() {
  sockaddr_un address{};  // an empty name: the kernel chooses one
  address.sun_family = AF_UNIX;
  socklen_t size = sizeof(sa_family_t);
  const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  assert(bind(listener, reinterpret_cast<sockaddr*>(&address), size) == 0 && listen(listener, 1) == 0);
  size = sizeof address;
  assert(getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  std::thread sender([&] {
    const int own = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(connect(own, reinterpret_cast<const sockaddr*>(&address), size) == 0);
    payload = 42;
    assert(send(own, "x", 1, 0) == 1);
  });
  const int accepted = accept(listener, nullptr, nullptr);
  char byte = 0;
  assert(recv(accepted, &byte, 1, 0) == 1);
  assert(payload == 42);
  sender.join();
}
