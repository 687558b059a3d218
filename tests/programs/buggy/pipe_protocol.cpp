// Two threads send messages through one pipe, the length first and then the text: with two calls of write.
// expect: verdict=assertion message="assertion `text == \"aaa\" .. text == \"bb\"` failed"
// expect: verdict=assertion strategy=dfs executions<=300
#include <unistd.h>

#include <cassert>
#include <string>
#include <thread>

#include <heddle/heddle.hpp>

void send_message(int out, const std::string& text) {
  const char length = static_cast<char>(text.size());
  assert(write(out, &length, 1) == 1);
  assert(write(out, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
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
