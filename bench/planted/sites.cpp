#include "sites.hpp"

#include <cstddef>
#include <utility>

#include <heddle/heddle.hpp>

namespace planted {
namespace {

// Functions with different numbers must stay different functions: each ends by telling the compiler its number.
#define HERE asm volatile("" ::"i"(number))

template <int number>
struct At {
  static int load(const Word& word) {
    const int value = word.load();
    HERE;
    return value;
  }
  static void store(Word& word, int value) {
    word.store(value);
    HERE;
  }
  static int add(Word& word) {
    const int value = word.fetch_add(1);
    HERE;
    return value;
  }
  static int swap(Word& word, int wanted) {
    int expected = 0;
    const bool swapped = word.compare_exchange_strong(expected, wanted);
    HERE;
    return swapped ? 1 : 0;
  }
  static void lock(pthread_mutex_t& mutex) {
    pthread_mutex_lock(&mutex);
    HERE;
  }
  static void unlock(pthread_mutex_t& mutex) {
    pthread_mutex_unlock(&mutex);
    HERE;
  }
  static void wait(pthread_cond_t& condition, pthread_mutex_t& mutex) {
    pthread_cond_wait(&condition, &mutex);
    HERE;
  }
  static void broadcast(pthread_cond_t& condition) {
    pthread_cond_broadcast(&condition);
    HERE;
  }
  static void post(sem_t& semaphore) {
    sem_post(&semaphore);
    HERE;
  }
  static void put(Queue& queue, int value) {
    pthread_mutex_lock(&queue.lock);
    queue.items[queue.put++] = value;
    pthread_cond_signal(&queue.filled);
    pthread_mutex_unlock(&queue.lock);
    HERE;
  }
  static int take(Queue& queue) {
    pthread_mutex_lock(&queue.lock);
    while (queue.put == queue.taken) pthread_cond_wait(&queue.filled, &queue.lock);
    const int first = queue.items[queue.taken++];
    pthread_mutex_unlock(&queue.lock);
    HERE;
    return first;
  }
  static int choose(int bound) {
    const auto value = static_cast<int>(heddle::choose(static_cast<std::uint32_t>(bound)));
    HERE;
    return value;
  }
  static constexpr Site site = {load, store, add, swap, lock, unlock, wait, broadcast, post, put, take, choose};
};

template <int... numbers>
constexpr std::array<Site, kSites> all(std::integer_sequence<int, numbers...>) {
  return {At<numbers>::site...};
}

}  // namespace

constinit const std::array<Site, kSites> sites = all(std::make_integer_sequence<int, kSites>());

}  // namespace planted
