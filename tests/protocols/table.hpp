// The protocols of examples/protocols: each in its correct version and with each bug, and how the bug shows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <heddle/heddle.hpp>

#include "protocols/chord.hpp"
#include "protocols/failure_detector.hpp"
#include "protocols/paxos.hpp"
#include "protocols/raft.hpp"

namespace heddle::test {

struct Protocol {
  std::string name;
  Body correct;
  Body buggy;
  std::string message;             // of the bug
  std::uint64_t steps_max = 1000;  // as in the QL paper
};

inline std::vector<Protocol> protocols() {
  return {
      {"failure_detector", [] { failure_detector::run(failure_detector::Version::correct); },
       [] { failure_detector::run(failure_detector::Version::rounds_without_number); },
       "FewPending in state Watching on Pinged: a node is more than three pings behind", 200},
      {"raft_v1", [] { raft::run(raft::Version::correct, 4); }, [] { raft::run(raft::Version::counts_votes_twice, 4); },
       "OneLeaderATerm in state Watching on LeaderElected: a term has two leaders"},
      {"raft_v2", [] { raft::run(raft::Version::correct, 6); }, [] { raft::run(raft::Version::counts_votes_twice, 6); },
       "OneLeaderATerm in state Watching on LeaderElected: a term has two leaders"},
      {"paxos", [] { paxos::run(paxos::Version::correct); }, [] { paxos::run(paxos::Version::takes_the_lowest); },
       "OneValue in state Watching on Learned: two values were learned"},
      {"chord", [] { chord::run(chord::Version::correct); }, [] { chord::run(chord::Version::one_key_is_lost); },
       "EveryLookUpIsAnswered is hot in state Waiting at the end"},
  };
}

inline Result explore(const Protocol& protocol, const Body& body, std::uint64_t executions, std::uint64_t seed) {
  Options options;
  options.executions = executions;
  options.seed = seed;
  options.steps_max = protocol.steps_max;
  options.output = Output::quiet;
  options.trace_directory = "";
  return try_explore(body, options);
}

}  // namespace heddle::test
