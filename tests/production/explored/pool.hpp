// A pool of threads that is made by hand: a heddle::Runtime that is explored is not one.
#pragma once

#include "actor/backend.hpp"
#include "actor/core.hpp"
#include "actor/system.hpp"
#include "heddle/actor.hpp"

class Pool {
 public:
  explicit Pool(const heddle::RuntimeOptions& options)
      : system_(options, heddle::actor::make_production_backend(options)) {}

  template <typename M, typename... As>
  heddle::MachineId create(As&&... arguments) {
    return heddle::actor::create_machine<M>(system_, nullptr, {}, std::forward<As>(arguments)...);
  }
  template <typename E>
  void send(heddle::MachineId to, E event) {
    system_.backend().send(nullptr, to, heddle::actor::box_event(system_, event), {}, nullptr);
  }
  void wait() { system_.wait(); }
  void stop() { system_.stop(); }
  void abort() { system_.abort(); }
  heddle::Metrics metrics() { return system_.backend().metrics(); }

 private:
  heddle::actor::System system_;
};

inline heddle::RuntimeOptions two_threads() {
  heddle::RuntimeOptions options;
  options.threads = 2;
  options.seed = 1;
  return options;
}
