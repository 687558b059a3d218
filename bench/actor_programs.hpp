// Actor programs, written in the same way for heddle and for the C++ Actor Framework. Each returns how long it took.
#pragma once

#include <cstdint>

namespace bench {

constexpr std::uint32_t kCreatures = 100;
constexpr std::uint32_t kSenders = 8;
constexpr std::uint32_t kBurst = 100;  // events that a sender of fan-in sends before it lets others run
constexpr std::uint32_t kRing = 100'000;
constexpr std::uint32_t kPairs = 1000;
constexpr std::uint32_t kWorkNs = 300;  // that the receiver of fan-in with work does for each event

/// Work of a processor: the unit is about a nanosecond, and what it takes is measured.
inline std::uint64_t work(std::uint32_t units) {
  std::uint64_t value = units;
  for (std::uint32_t i = 0; i < units; ++i) asm volatile("" : "+r"(value));
  return value;
}

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
/// The same, and the receiver works for `units` for each number.
double caf_fan_in_work(std::uint32_t threads, std::uint32_t each, std::uint32_t units);
/// kPairs times ping-pong at once.
double caf_pairs(std::uint32_t threads, std::uint32_t rounds);
/// A token goes round a ring of kRing machines.
RingTimes caf_ring(std::uint32_t threads, std::uint32_t hops);

double heddle_ping_pong(std::uint32_t threads, std::uint32_t rounds);
double heddle_chameneos(std::uint32_t threads, std::uint32_t meetings);
double heddle_fan_in(std::uint32_t threads, std::uint32_t each);
double heddle_fan_in_work(std::uint32_t threads, std::uint32_t each, std::uint32_t units);
double heddle_pairs(std::uint32_t threads, std::uint32_t rounds);
RingTimes heddle_ring(std::uint32_t threads, std::uint32_t hops);

}  // namespace bench
