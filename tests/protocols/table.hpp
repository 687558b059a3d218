// The protocols of examples/protocols: each in its correct version and with each bug, and how the bug shows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <heddle/heddle.hpp>

namespace heddle::test {

struct Protocol {
  std::string name;
  Body correct;
  Body buggy;
  std::string message;             // of the bug
  std::uint64_t steps_max = 1000;  // as in the QL paper
};

std::vector<Protocol> protocols();

inline Result explore(const Protocol& protocol, const Body& body, std::uint64_t executions, std::uint64_t seed,
                      const std::string& strategy = "portfolio") {
  Options options;
  options.strategy = strategy;
  options.executions = executions;
  options.seed = seed;
  options.steps_max = protocol.steps_max;
  options.output = Output::quiet;
  options.trace_directory = "";
  return try_explore(body, options);
}

}  // namespace heddle::test
