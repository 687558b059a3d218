#include <pthread.h>
#include <semaphore.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include <heddle/heddle.hpp>

#include "program.hpp"
#include "sites.hpp"

namespace planted {
namespace {

// What the threads of the running execution share. An execution that fails leaves its threads where they stand, so
// nothing of this is on a stack or freed.
struct Shared {
  const Program* program;
  std::array<Word, kObjects> words;
  std::array<pthread_mutex_t, kObjects> locks;
  std::array<pthread_cond_t, kObjects> conditions;
  std::array<sem_t, kObjects> semaphores;
  std::array<Queue, kObjects> queues;
  std::array<pthread_t, kThreads> handles;
  std::array<bool, kDepthMax> met;  // looked at when all threads have ended
};
Shared shared;

void begin(const Program& program) {
  shared.program = &program;
  for (std::size_t i = 0; i < kObjects; ++i) {
    shared.words[i].store(0, std::memory_order_relaxed);
    shared.locks[i] = PTHREAD_MUTEX_INITIALIZER;
    shared.conditions[i] = PTHREAD_COND_INITIALIZER;
    sem_init(&shared.semaphores[i], 0, 0);
    shared.queues[i].lock = PTHREAD_MUTEX_INITIALIZER;
    shared.queues[i].filled = PTHREAD_COND_INITIALIZER;
    shared.queues[i].put = shared.queues[i].taken = 0;
  }
  shared.met = {};
}

class Thread {
 public:
  void run(const Code& code) {
    for (at_ = 0; at_ < code.size(); ++at_) {
      if (code[at_].op < Op::keep)
        step(code[at_]);
      else
        consider(code[at_]);
    }
  }

 private:
  void step(const Instruction& now) {
    const Site& site = sites[now.site];
    switch (now.op) {
      case Op::load:
        register_ = site.load(shared.words[now.a]);
        break;
      case Op::store:
        site.store(shared.words[now.a], now.b);
        break;
      case Op::store_next:
        site.store(shared.words[now.a], register_ + 1);
        break;
      case Op::add:
        register_ = site.add(shared.words[now.a]);
        break;
      case Op::swap:
        register_ = site.swap(shared.words[now.a], now.b);
        break;
      case Op::lock:
        site.lock(shared.locks[now.a]);
        break;
      case Op::unlock:
        site.unlock(shared.locks[now.a]);
        break;
      case Op::wait:
        site.wait(shared.conditions[now.a], shared.locks[now.a]);
        break;
      case Op::broadcast:
        site.broadcast(shared.conditions[now.a]);
        break;
      case Op::post:
        site.post(shared.semaphores[now.a]);
        break;
      case Op::put:
        site.put(shared.queues[now.a], now.b);
        break;
      case Op::take:
        register_ = site.take(shared.queues[now.a]);
        break;
      default:
        register_ = site.choose(now.b);
        break;
    }
  }

  void consider(const Instruction& now) {
    switch (now.op) {
      case Op::keep:
        slots_[now.a] = register_;
        break;
      case Op::changed:
        register_ = register_ != slots_[now.a] ? 1 : 0;
        break;
      case Op::demand:
        armed_ = armed_ && register_ == now.b;
        break;
      case Op::if_armed:
        if (!armed_) at_ += now.b;
        break;
      case Op::if_zero:
        if (register_ != 0) at_ += now.b;
        break;
      case Op::met:
        if (armed_) shared.met[now.a] = true;
        break;
      default:
        if (armed_) heddle::fail("all that the bug needs has come together");
        break;
    }
  }

  std::size_t at_ = 0;
  int register_ = 0;
  std::array<int, 4> slots_ = {};
  bool armed_ = true;
};

void* start(void* code) {
  Thread().run(*static_cast<const Code*>(code));
  return nullptr;
}

}  // namespace

void run(const Program& program) {
  begin(program);
  for (std::size_t i = 0; i < program.threads.size(); ++i)
    pthread_create(&shared.handles[i], nullptr, start, const_cast<Code*>(&program.codes[program.threads[i]]));
  for (std::size_t i = 0; i < program.threads.size(); ++i) pthread_join(shared.handles[i], nullptr);
  int met = 0;
  for (const bool each : shared.met) met += each ? 1 : 0;
  if (program.demands_met_apart > 0 && met == program.demands_met_apart)
    heddle::fail("all that the bug needs has come together");
}

}  // namespace planted
