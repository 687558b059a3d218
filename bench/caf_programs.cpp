// The programs of actor_programs.hpp for the C++ Actor Framework, written like its own examples.
#include <caf/all.hpp>

#include "actor_programs.hpp"
#include "figures.hpp"

namespace bench {
namespace {

using caf::actor;
using caf::behavior;
using caf::event_based_actor;

using Ball = caf::atom_constant<caf::atom("ball")>;
using Meet = caf::atom_constant<caf::atom("meet")>;
using Change = caf::atom_constant<caf::atom("change")>;
using Go = caf::atom_constant<caf::atom("go")>;

struct Config : caf::actor_system_config {
  explicit Config(std::uint32_t threads) {
    set("scheduler.max-threads", threads);
    set("logger.verbosity", caf::atom("quiet"));
  }
};

behavior wall(event_based_actor* self, std::uint32_t rounds) {
  return {[=](Ball, const actor& from, std::uint32_t round) {
    self->send(from, Ball::value, caf::actor_cast<actor>(self), round + 1);
    if (round + 1 >= rounds) self->quit();
  }};
}

behavior player(event_based_actor* self, const actor& other, std::uint32_t rounds) {
  self->send(other, Ball::value, caf::actor_cast<actor>(self), 0u);
  return {[=](Ball, const actor& from, std::uint32_t round) {
    if (round >= rounds) return self->quit();
    self->send(from, Ball::value, caf::actor_cast<actor>(self), round);
  }};
}

behavior mall(caf::stateful_actor<actor>* self, std::uint32_t meetings) {
  auto left = std::make_shared<std::uint32_t>(meetings);
  return {[=](Meet, const actor& who, std::uint32_t colour) {
    if (*left == 0) {
      self->send_exit(who, caf::exit_reason::user_shutdown);
      return;
    }
    if (!self->state) {
      self->state = who;
      return;
    }
    self->send(self->state, Meet::value, who, colour);
    self->state = nullptr;
    --*left;
  }};
}

behavior creature(caf::stateful_actor<std::uint32_t>* self, const actor& where, std::uint32_t colour) {
  self->state = colour;
  self->send(where, Meet::value, caf::actor_cast<actor>(self), colour);
  return {[=](Meet, const actor& other, std::uint32_t theirs) {
            self->state = (self->state + theirs) % 3;
            self->send(other, Change::value, self->state);
            self->send(where, Meet::value, caf::actor_cast<actor>(self), self->state);
          },
          [=](Change, std::uint32_t to) {
            self->state = to;
            self->send(where, Meet::value, caf::actor_cast<actor>(self), self->state);
          }};
}

behavior receiver(caf::stateful_actor<std::uint32_t>* self, std::uint32_t all, std::uint32_t units) {
  self->state = all;
  return {[=](std::uint32_t) {
    work(units);
    if (--self->state == 0) self->quit();
  }};
}

behavior sender(caf::stateful_actor<std::uint32_t>* self, const actor& to, std::uint32_t each) {
  self->state = each;
  self->send(self, Go::value);
  return {[=](Go) {
    for (std::uint32_t i = 0; i < kBurst && self->state > 0; ++i) self->send(to, self->state--);
    if (self->state == 0) return self->quit();
    self->send(self, Go::value);
  }};
}

behavior member(caf::stateful_actor<actor>* self) {
  return {[=](const actor& next) { self->state = next; },
          [=](Ball, std::uint32_t left) {
            if (left > 0) return self->send(self->state, Ball::value, left - 1);
            self->send(self->state, Go::value);
          },
          [=](Go) {  // the end goes round as well
            self->send(self->state, Go::value);
            self->state = nullptr;
            self->quit();
          }};
}

}  // namespace

double caf_ping_pong(std::uint32_t threads, std::uint32_t rounds) {
  Config config(threads);
  caf::actor_system system(config);
  return nanoseconds([&] {
    system.spawn(player, system.spawn(wall, rounds), rounds);
    system.await_all_actors_done();
  });
}

double caf_chameneos(std::uint32_t threads, std::uint32_t meetings) {
  Config config(threads);
  caf::actor_system system(config);
  return nanoseconds([&] {
    const actor where = system.spawn(mall, meetings);
    for (std::uint32_t i = 0; i < kCreatures; ++i) system.spawn(creature, where, i % 3);
    while (system.registry().running() > 1) std::this_thread::sleep_for(std::chrono::microseconds(100));
    caf::anon_send_exit(where, caf::exit_reason::user_shutdown);
    system.await_all_actors_done();
  });
}

double caf_pairs(std::uint32_t threads, std::uint32_t rounds) {
  Config config(threads);
  caf::actor_system system(config);
  return nanoseconds([&] {
    for (std::uint32_t i = 0; i < kPairs; ++i) system.spawn(player, system.spawn(wall, rounds), rounds);
    system.await_all_actors_done();
  });
}

double caf_fan_in(std::uint32_t threads, std::uint32_t each) { return caf_fan_in_work(threads, each, 0); }

double caf_fan_in_work(std::uint32_t threads, std::uint32_t each, std::uint32_t units) {
  Config config(threads);
  caf::actor_system system(config);
  return nanoseconds([&] {
    const actor to = system.spawn(receiver, kSenders * each, units);
    for (std::uint32_t i = 0; i < kSenders; ++i) system.spawn(sender, to, each);
    system.await_all_actors_done();
  });
}

RingTimes caf_ring(std::uint32_t threads, std::uint32_t hops) {
  Config config(threads);
  caf::actor_system system(config);
  RingTimes times{};
  std::vector<actor> ring;
  times.making_ns = nanoseconds([&] {
    for (std::uint32_t i = 0; i < kRing; ++i) ring.push_back(system.spawn(member));
    for (std::uint32_t i = 0; i < kRing; ++i) caf::anon_send(ring[i], ring[(i + 1) % kRing]);
  });
  times.passing_ns = nanoseconds([&] {
    caf::anon_send(ring[0], Ball::value, hops);
    ring.clear();
    system.await_all_actors_done();
  });
  return times;
}

}  // namespace bench
