// Bugs of protocols: machines that send each other messages, and one that fails if they came in an unlucky way.
#pragma once

#include <cstddef>
#include <vector>

#include "numbers.hpp"

namespace planted {

enum class Says : unsigned char {
  chats,    // nothing
  opens,    // a demand: from here …
  closes,   // … to here
  meddles,  // in between, or before, or behind
  carries   // one of so many values
};

struct Line {
  Says says = Says::chats;
  std::size_t to = 0;
  std::size_t demand = 0;
};

/// When is the demand met?
enum class When : unsigned char { meddled_first, meddled_second, meddled_between, value_comes };

struct Protocol {
  struct Demand {
    When when = When::meddled_first;
    unsigned values = 0;  // that there are
    unsigned wanted = 0;
  };
  std::vector<std::vector<Line>> scripts;  // of each machine
  std::vector<Demand> demands;
};

Protocol plant_protocol(Numbers& numbers, std::size_t machines, int depth);
/// Runs it once, under heddle.
void run(const Protocol& protocol);

}  // namespace planted
