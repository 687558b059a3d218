// Every step of a planted program that touches what threads share, once for each place in the code that it can have.
// The file is instrumented, and it touches nothing but what it is given.
#pragma once

#include <pthread.h>
#include <semaphore.h>

#include <array>
#include <atomic>

#include "program.hpp"

namespace planted {

using Word = std::atomic<int>;

struct Queue {
  pthread_mutex_t lock;
  pthread_cond_t filled;
  int put;
  int taken;
  int items[2 * kThreads];
};

struct Site {
  int (*load)(const Word&);
  void (*store)(Word&, int);
  int (*add)(Word&);
  int (*swap)(Word&, int wanted);
  void (*lock)(pthread_mutex_t&);
  void (*unlock)(pthread_mutex_t&);
  void (*wait)(pthread_cond_t&, pthread_mutex_t&);
  void (*broadcast)(pthread_cond_t&);
  void (*post)(sem_t&);
  void (*put)(Queue&, int);
  int (*take)(Queue&);
  int (*choose)(int bound);
};

extern const std::array<Site, kSites> sites;

}  // namespace planted
