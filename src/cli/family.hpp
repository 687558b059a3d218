// The processes that descend from this one, and how to end them all.
//
// A process is asked for no help: it may ignore every signal but two, leave its group, its session and its user, or
// start others faster than they can be listed. The kernel gives the children of a process that ends to the next
// ancestor that adopts orphans, so while this process does, none leaves the family.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace heddle::cli {

/// From now on, orphans among the descendants become children of this process.
void adopt_orphans();

/// All that have not been reaped.
std::vector<int> descendants();

/// Whether the process descends from `ancestor`, or is it.
bool descends_from(int process, int ancestor);

/// Ends and reaps every descendant. False: some are left after so long, for example those of another user.
bool end_descendants(std::chrono::milliseconds patience);

/// Reaps every child that has ended. Returns whether `awaited` was one of them, and then its status.
bool reap(int awaited, int& status);

/// What the process is doing, in words: "it is stopped". Empty if that cannot be seen.
std::string what_it_does(int process);

/// It is stopped, or its first thread has ended without it.
bool cannot_move(int process);

/// Whether the process would run a handler for the signal now.
bool takes_signal(int process, int signal);

}  // namespace heddle::cli
