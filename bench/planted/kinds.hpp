// The kinds of bugs: each makes one more demand of a draft.
#pragma once

#include "draft.hpp"

namespace planted {

void demand_order(Draft& draft);
void demand_atomicity(Draft& draft);
void demand_stale(Draft& draft);
void demand_aba(Draft& draft);
void demand_data(Draft& draft);
/// These two end the program by themselves: once armed, the thread hangs.
void demand_deadlock(Draft& draft);
void demand_lost_wakeup(Draft& draft);

}  // namespace planted
