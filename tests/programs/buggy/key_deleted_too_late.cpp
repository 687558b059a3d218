// Main deletes the key, gives the buffer of the thread back itself, and forgets that a thread which ends earlier has
// given it back already.
// expect: verdict=assertion message="assertion `given_back == 1` failed"
// expect: verdict=assertion strategy=dfs
// expect: verdict=assertion strategy=dfs:reduce=1
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
  pthread_key_create(&key, give_back);
  std::thread worker([&] { pthread_setspecific(key, &buffer); });
  pthread_key_delete(key);
  worker.join();
  give_back(&buffer);
  assert(given_back == 1);
}

int main() { return heddle::explore_main(test); }
