// Machines without libheddle, as they are deployed: `heddle run` explores them as machines all the same.
#include <cstdio>

#include "protocols/paxos.hpp"

int main() {
  heddle::Runtime runtime;
  runtime.add_monitor<paxos::OneValue>();
  runtime.create<paxos::Manager>(paxos::Version::takes_the_lowest);
  runtime.stop();
  std::puts("agreed");
}
