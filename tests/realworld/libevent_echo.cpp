// An echo server on libevent in one thread and its clients in others, over loopback sockets.
#include <arpa/inet.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <event2/thread.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int kClients = 2;
constexpr int kMessages = 3;

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::abort();
}

void echo(bufferevent* connection, void*) {
  evbuffer_add_buffer(bufferevent_get_output(connection), bufferevent_get_input(connection));
}

void end(bufferevent* connection, short what, void*) {
  if ((what & (BEV_EVENT_EOF | BEV_EVENT_ERROR)) != 0) bufferevent_free(connection);
}

void accepted(evconnlistener* listener, evutil_socket_t socket, sockaddr*, int, void*) {
  bufferevent* const connection =
      bufferevent_socket_new(evconnlistener_get_base(listener), socket, BEV_OPT_CLOSE_ON_FREE | BEV_OPT_THREADSAFE);
  bufferevent_setcb(connection, echo, nullptr, end, nullptr);
  bufferevent_enable(connection, EV_READ | EV_WRITE);
}

sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

int port_of(evconnlistener* listener) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  if (getsockname(evconnlistener_get_fd(listener), reinterpret_cast<sockaddr*>(&address), &size) != 0)
    fail("getsockname");
  return ntohs(address.sin_port);
}

/// Sends lines and counts those that come back as they were.
void talk(int port, int client, int& answers) {
  const int socket_ = socket(AF_INET, SOCK_STREAM, 0);
  const sockaddr_in address = loopback(port);
  if (connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) fail("connect");
  for (int i = 0; i < kMessages; ++i) {
    const std::string message = "client " + std::to_string(client) + " says " + std::to_string(i);
    if (write(socket_, message.data(), message.size()) != static_cast<ssize_t>(message.size())) fail("write");
    std::string answer(message.size(), '\0');
    std::size_t done = 0;
    while (done < answer.size()) {
      const ssize_t got = read(socket_, answer.data() + done, answer.size() - done);
      if (got <= 0) fail("read");
      done += static_cast<std::size_t>(got);
    }
    answers += answer == message;
  }
  close(socket_);
}

}  // namespace

int main() {
  evthread_use_pthreads();
  event_base* const base = event_base_new();
  const sockaddr_in address = loopback(0);
  evconnlistener* const listener =
      evconnlistener_new_bind(base, accepted, nullptr, LEV_OPT_CLOSE_ON_FREE | LEV_OPT_THREADSAFE, 16,
                              reinterpret_cast<const sockaddr*>(&address), sizeof address);
  if (listener == nullptr) fail("bind");
  const int port = port_of(listener);
  std::thread server([&] { event_base_loop(base, EVLOOP_NO_EXIT_ON_EMPTY); });
  std::vector<int> answers(kClients);
  std::vector<std::thread> clients;
  for (int i = 0; i < kClients; ++i)
    clients.emplace_back(talk, port, i, std::ref(answers[static_cast<std::size_t>(i)]));
  for (std::thread& client : clients) client.join();
  event_base_loopbreak(base);
  server.join();
  evconnlistener_free(listener);
  event_base_free(base);
  for (int i = 0; i < kClients; ++i) std::printf("client %d: %d answers\n", i, answers[static_cast<std::size_t>(i)]);
}
