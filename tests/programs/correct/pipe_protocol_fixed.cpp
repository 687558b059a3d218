// Each message goes with one call of write, which a pipe does not tear apart.
// expect: passes
// expect: passes strategy=dfs complete executions=19
// (start, write and join of a; create, start and write of b: 20 ways to mix them, less the one that joins a before b is
// created.)
#include <unistd.h>

#include <cassert>
#include <string>
#include <thread>

#include <heddle/heddle.hpp>

void send_message(int out, const std::string& text) {
  const std::string message = static_cast<char>(text.size()) + text;
  assert(write(out, message.data(), message.size()) == static_cast<ssize_t>(message.size()));
}

std::string receive_message(int in) {
  char length = 0;
  assert(read(in, &length, 1) == 1);
  std::string text(static_cast<unsigned char>(length) % 8, ' ');
  const ssize_t size = read(in, text.data(), text.size());
  return text.substr(0, static_cast<std::size_t>(size));
}

void test() {
  int ends[2];
  assert(pipe(ends) == 0);
  std::thread a([&] { send_message(ends[1], "aaa"); });
  std::thread b([&] { send_message(ends[1], "bb"); });
  a.join();
  b.join();
  for (int i = 0; i < 2; ++i) {
    const std::string text = receive_message(ends[0]);
    assert(text == "aaa" || text == "bb");
  }
  close(ends[0]);
  close(ends[1]);
}

int main() { return heddle::explore_main(test); }
