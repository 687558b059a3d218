// Actor programs, written in the same way for heddle and for the C++ Actor Framework. Each returns how long it took.
#pragma once

#include <cstdint>

namespace bench {

constexpr std::uint32_t kCreatures = 100;
constexpr std::uint32_t kSenders = 8;
constexpr std::uint32_t kBurst = 100;  // events that a sender of fan-in sends before it lets others run
constexpr std::uint32_t kRing = 100'000;

struct RingTimes {
  double making_ns;
  double passing_ns;
};

/// Two machines, one event going to and fro.
double caf_ping_pong(std::uint32_t threads, std::uint32_t rounds);
/// Creatures meet in a mall (Kaiser and Pradat-Peyre 2003): two ask, one is told of the other and tells it its colour.
double caf_chameneos(std::uint32_t threads, std::uint32_t meetings);
/// Every sender sends that many numbers to one receiver.
double caf_fan_in(std::uint32_t threads, std::uint32_t each);
/// A token goes round a ring of kRing machines.
RingTimes caf_ring(std::uint32_t threads, std::uint32_t hops);

double heddle_ping_pong(std::uint32_t threads, std::uint32_t rounds);
double heddle_chameneos(std::uint32_t threads, std::uint32_t meetings);
double heddle_fan_in(std::uint32_t threads, std::uint32_t each);
RingTimes heddle_ring(std::uint32_t threads, std::uint32_t hops);

}  // namespace bench
