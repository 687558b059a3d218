// ZeroMQ: a ventilator, workers and a sink inside the process, and a request over TCP.
#include <zmq.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

constexpr int kWorkers = 2;
constexpr int kTasks = 4;

void require(bool holds, const char* what) {
  if (holds) return;
  std::printf("%s: %s\n", what, zmq_strerror(zmq_errno()));
  std::fflush(stdout);
  std::_Exit(1);
}

class Socket {
 public:
  Socket(void* context, int type) : socket_(zmq_socket(context, type)) { require(socket_, "socket"); }
  ~Socket() { zmq_close(socket_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  void bind(const char* address) { require(zmq_bind(socket_, address) == 0, "bind"); }
  void connect(const char* address) { require(zmq_connect(socket_, address) == 0, "connect"); }
  void send(int number) { require(zmq_send(socket_, &number, sizeof number, 0) == sizeof number, "send"); }
  /// False when the context is being closed.
  bool receive(int& number) {
    const bool received = zmq_recv(socket_, &number, sizeof number, 0) == sizeof number;
    require(received || zmq_errno() == ETERM, "receive");
    return received;
  }
  int receive() {
    int number = 0;
    require(receive(number), "the context is closed");
    return number;
  }
  void last_endpoint(char* address, std::size_t size) {
    require(zmq_getsockopt(socket_, ZMQ_LAST_ENDPOINT, address, &size) == 0, "endpoint");
  }

 private:
  void* socket_;
};

void work(void* context) {
  Socket tasks(context, ZMQ_PULL);
  Socket results(context, ZMQ_PUSH);
  tasks.connect("inproc://tasks");
  results.connect("inproc://results");
  int task = 0;
  while (tasks.receive(task)) results.send(task * task);
}

int sum_of_squares(void* context, std::vector<std::thread>& workers) {
  Socket tasks(context, ZMQ_PUSH);
  Socket results(context, ZMQ_PULL);
  tasks.bind("inproc://tasks");
  results.bind("inproc://results");
  for (int i = 0; i < kWorkers; ++i) workers.emplace_back(work, context);
  for (int i = 1; i <= kTasks; ++i) tasks.send(i);
  int sum = 0;
  for (int i = 0; i < kTasks; ++i) sum += results.receive();
  return sum;
}

int answer_over_tcp(void* context) {
  Socket server(context, ZMQ_REP);
  server.bind("tcp://127.0.0.1:*");
  char address[64];
  server.last_endpoint(address, sizeof address);
  int answer = 0;
  std::thread client([&] {
    Socket socket(context, ZMQ_REQ);
    socket.connect(address);
    socket.send(20);
    answer = socket.receive();
  });
  server.send(server.receive() + 1);
  client.join();
  return answer;
}

}  // namespace

int main() {
  void* context = zmq_ctx_new();
  std::vector<std::thread> workers;
  const int sum = sum_of_squares(context, workers);
  const int answer = answer_over_tcp(context);
  zmq_ctx_term(context);  // ends the workers, and waits until they have closed their sockets
  for (std::thread& worker : workers) worker.join();
  std::printf("sum %d, answer %d\n", sum, answer);
}
