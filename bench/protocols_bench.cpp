// The protocols of the QL paper's tables: see published.hpp.
//
// The machines have no hash() of their own: QL^c of the paper sees some of their fields as well, while ql_custom sees
// the states and inboxes alone.
#include "protocols/chord.hpp"
#include "protocols/failure_detector.hpp"
#include "protocols/paxos.hpp"
#include "protocols/raft.hpp"
#include "published.hpp"

namespace {

using bench::kNotGiven;

std::vector<bench::PublishedProgram> programs() {
  return {
      {"raft_v1",
       [] { raft::run(raft::Version::counts_votes_twice, 4); },
       1000,
       {99, 86, 99, 100, 100, 100, 83, 0, 12, 45, 28}},
      {"raft_v2",
       [] { raft::run(raft::Version::counts_votes_twice, 6); },
       1000,
       {95, 1, 28, 100, 100, 4, 3, 0, 0, 0, 1}},
      {"paxos",
       [] { paxos::run(paxos::Version::takes_the_lowest); },
       1000,
       {66, 19, 16, 30, 33, 8, 20, 19, 91, 92, 33}},
      {"chord", [] { chord::run(chord::Version::one_key_is_lost); }, 1000, {34, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0}},
      {"failure_detector",
       [] { failure_detector::run(failure_detector::Version::rounds_without_number); },
       200,
       {99, kNotGiven, 0, 38, 78, 0, 0, 11, 100, 99, 31}},
  };
}

}  // namespace

int main(int argc, char** argv) { return bench::print_published("protocols", programs(), argc, argv); }
