// The key has no destructor, so whenever it is deleted the buffer is main's to give back.
// expect: passes
// expect: passes strategy=dfs complete
// expect: passes strategy=dfs:reduce=1 complete
#include <pthread.h>

#include <cassert>
#include <thread>

#include <heddle/heddle.hpp>

int buffer;
int given_back;

void give_back(void*) { ++given_back; }

void test() {
  given_back = 0;
  pthread_key_t key;
  pthread_key_create(&key, nullptr);
  std::thread worker([&] { pthread_setspecific(key, &buffer); });
  pthread_key_delete(key);
  worker.join();
  give_back(&buffer);
  assert(given_back == 1);
}

int main() { return heddle::explore_main(test); }
