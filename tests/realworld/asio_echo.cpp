// An echo server on Boost.Asio, its loop run by two threads, and its clients in other threads.
#include <utility>  // first: Boost 1.74 uses it in C++20 without including it

#include <boost/asio.hpp>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr int kClients = 2;
constexpr int kMessages = 3;

class Session : public std::enable_shared_from_this<Session> {
 public:
  explicit Session(tcp::socket socket) : socket_(std::move(socket)) {}

  void read() {
    auto self = shared_from_this();
    socket_.async_read_some(asio::buffer(data_), [this, self](error_code error, std::size_t size) {
      if (!error) write(size);
    });
  }

 private:
  void write(std::size_t size) {
    auto self = shared_from_this();
    asio::async_write(socket_, asio::buffer(data_, size), [this, self](error_code error, std::size_t) {
      if (!error) read();
    });
  }

  tcp::socket socket_;
  char data_[256];
};

class Server {
 public:
  explicit Server(asio::io_context& context)
      : acceptor_(context, tcp::endpoint(asio::ip::address_v4::loopback(), 0)), context_(context) {
    accept();
  }
  unsigned short port() const { return acceptor_.local_endpoint().port(); }

 private:
  void accept() {
    acceptor_.async_accept(asio::make_strand(context_), [this](error_code error, tcp::socket socket) {
      if (error) return;
      std::make_shared<Session>(std::move(socket))->read();
      accept();
    });
  }

  tcp::acceptor acceptor_;
  asio::io_context& context_;
};

int answers_to(unsigned short port, int client) {
  asio::io_context context;
  tcp::socket socket(context);
  socket.connect({asio::ip::address_v4::loopback(), port});
  int answers = 0;
  for (int i = 0; i < kMessages; ++i) {
    const std::string message = "client " + std::to_string(client) + " says " + std::to_string(i);
    asio::write(socket, asio::buffer(message));
    std::string answer(message.size(), '\0');
    asio::read(socket, asio::buffer(answer));
    answers += answer == message;
  }
  return answers;
}

}  // namespace

int main() {
  asio::io_context context;
  Server server(context);
  std::vector<std::thread> loops;
  for (int i = 0; i < 2; ++i) loops.emplace_back([&] { context.run(); });
  std::vector<int> answers(kClients);
  std::vector<std::thread> clients;
  for (int i = 0; i < kClients; ++i)
    clients.emplace_back([&, i] { answers[static_cast<std::size_t>(i)] = answers_to(server.port(), i); });
  for (std::thread& client : clients) client.join();
  context.stop();
  for (std::thread& loop : loops) loop.join();
  for (int i = 0; i < kClients; ++i) std::printf("client %d: %d answers\n", i, answers[static_cast<std::size_t>(i)]);
}
