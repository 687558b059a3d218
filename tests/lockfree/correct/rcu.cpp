// Read, copy, update: the writer publishes the new configuration and then waits for everybody who may have got the old
// one. Who announces itself later sees the new one, since all four accesses are sequentially consistent.
// expect: nothing
#include <atomic>
#include <cassert>
#include <thread>

struct Config {
  int width, height;  // equal as long as it may be read
};

Config old_config = {1, 1};
Config new_config = {2, 2};
std::atomic<Config*> current = &old_config;
std::atomic<bool> is_reading[2];

void read_config(int reader) {
  is_reading[reader].store(true);
  const Config* config = current.load();
  assert(config->width == config->height);
  is_reading[reader].store(false);
}

void wait_for_readers() {
  for (const std::atomic<bool>& reader : is_reading) {
    while (reader.load()) {
    }
  }
}

void update() {
  current.store(&new_config);
  wait_for_readers();
  old_config = {-1, 0};  // reclaimed
}

int main() {
  std::thread one(read_config, 0);
  std::thread two(read_config, 1);
  update();
  one.join();
  two.join();
}
