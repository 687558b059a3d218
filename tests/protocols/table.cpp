#include "table.hpp"

#include "protocols/bounded_async.hpp"
#include "protocols/chain_replication.hpp"
#include "protocols/chameneos.hpp"
#include "protocols/chord.hpp"
#include "protocols/failure_detector.hpp"
#include "protocols/german.hpp"
#include "protocols/leader_election.hpp"
#include "protocols/multi_paxos.hpp"
#include "protocols/paxos.hpp"
#include "protocols/pi.hpp"
#include "protocols/raft.hpp"
#include "protocols/swordfish.hpp"
#include "protocols/two_phase_commit.hpp"

namespace heddle::test {

std::vector<Protocol> protocols() {
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
      {"two_phase_commit", [] { two_phase_commit::run(two_phase_commit::Version::correct); },
       [] { two_phase_commit::run(two_phase_commit::Version::late_votes_count); },
       "DataAgree in state Watching on CarriedOut: after the same commit two replicas hold different data"},
      {"german", [] { german::run(german::Version::correct); }, [] { german::run(german::Version::upgrades_unasked); },
       "Coherence in state Watching on Took: a client holds the exclusive copy, and another holds one too"},
      {"bounded_async", [] { bounded_async::run(bounded_async::Version::correct); },
       [] { bounded_async::run(bounded_async::Version::asks_before_it_tells); },
       "NeighboursAreClose in state Watching on Heard: a process hears a count that is out of bounds"},
      {"chain_replication", [] { chain_replication::run(chain_replication::Version::correct); },
       [] { chain_replication::run(chain_replication::Version::sends_nothing_again); },
       "InOrder in state Watching on Taken: a server skips an update"},
      {"multi_paxos", [] { multi_paxos::run(multi_paxos::Version::correct); },
       [] { multi_paxos::run(multi_paxos::Version::insists_on_its_own); },
       "OneValueASlot in state Watching on Chosen: two values were chosen for a slot"},
      {"leader_election", [] { leader_election::run(leader_election::Version::correct); },
       [] { leader_election::run(leader_election::Version::late_nodes_pass_all); },
       "OneLeader in state Settled on Elected: two nodes are leaders"},
      {"pi", [] { pi::run(pi::Version::correct); }, [] { pi::run(pi::Version::counts_parts_as_workers); },
       "IsPi in state Waiting on Reported: the area that was reported lacks some strips"},
      {"chameneos", [] { chameneos::run(chameneos::Version::correct); },
       [] { chameneos::run(chameneos::Version::remembers_who_left); },
       "EveryMeetingIsOfTwo is hot in state Odd at the end"},
      {"swordfish", [] { swordfish::run(swordfish::Version::correct); },
       [] { swordfish::run(swordfish::Version::sets_nothing_aside); },
       "NeverOverdrawn in state Watching on Balance: the account is overdrawn"},
  };
}

}  // namespace heddle::test
