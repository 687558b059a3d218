#include "preload/rewound.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

#include "base/raw.hpp"
#include "runtime/process/children.hpp"
#include "strategy/replay.hpp"

namespace heddle::preload {
namespace {

constexpr std::uint32_t kSpareDonors = 2;

struct Sample {
  Verdict verdict;
  std::uint64_t steps;
  std::uint32_t operations;
  std::vector<Choice> schedule;
  std::string output;
};

int lowest_free_descriptor(int of) {
  const long descriptor = raw::syscall6(SYS_dup, of, 0, 0, 0, 0, 0);
  if (descriptor >= 0) raw::syscall6(SYS_close, descriptor, 0, 0, 0, 0, 0);
  return static_cast<int>(descriptor);
}

Sample sample_of(const engine::ExecutionResult& result, const Streams& streams) {
  return {*result.verdict,
          result.steps,
          result.operations,
          {result.schedule.begin(), result.schedule.end()},
          streams.output() + streams.errors()};
}

bool same(const Sample& a, const Sample& b) {
  return a.verdict.kind == b.verdict.kind && a.verdict.text() == b.verdict.text() && a.steps == b.steps &&
         a.schedule == b.schedule && a.output == b.output;
}

}  // namespace

Rewound::Rewound(engine::InProcess& inner, engine::Carrier& carrier, Forked& whole, Streams& streams, Board& board)
    : inner_(inner), carrier_(carrier), whole_(whole), streams_(streams), board_(board), keeper_(whole) {}

void Rewound::open() {
  inner_.open();
  if (!begun_) begin();
}

void Rewound::begin() {
  begun_ = true;
  start_ = streams_.here();
  const auto strategy = strategy::first_enabled();
  donors_ = whole_.run(*strategy, false).operations + kSpareDonors;
  carrier_.keep_ready(donors_);
  keeper_.start();
  input_ = static_cast<int>(raw::syscall6(SYS_fcntl, STDIN_FILENO, F_DUPFD, kFirstOwnDescriptor, 0, 0, 0));
  free_descriptor_ = lowest_free_descriptor(board_.request.results);
  const std::string wrong = objection();
  rewinds_ = wrong.empty();
  if (!rewinds_) give_up(wrong);
}

/// Why this program cannot be rewound; empty if it can.
std::string Rewound::objection() {
  if (board_.started_child) return "it starts other processes";
  if (!image_.find()) return "it has more memory than it pays to put back";
  image_.take();
  const Sample fresh = sample_of(keeper_.run(*strategy::first_enabled(), false), streams_);
  for (int i = 0; i < 2; ++i) {
    streams_.put_back(start_);
    const auto strategy = strategy::first_enabled();
    const Sample again = sample_of(inner_.run(*strategy, false), streams_);
    if (!put_back()) return "it leaves something behind that cannot be undone";
    if (!same(fresh, again)) return "an execution after another is not what it is in a fresh process";
  }
  return {};
}

engine::ExecutionResult Rewound::run(strategy::Strategy& strategy, bool record) {
  if (record || !rewinds_) return keeper_.run(strategy, record);
  return run_here(strategy);
}

engine::ExecutionResult Rewound::run_here(strategy::Strategy& strategy) {
  board_.counts.begun.fetch_add(1, std::memory_order_relaxed);
  streams_.put_back(start_);
  const engine::ExecutionResult result = inner_.run(strategy, false);
  if (!put_back()) give_up("it left something behind that cannot be undone");
  if (result.operations > donors_) give_up("it starts more threads than it did at first");
  return result;
}

/// False: something is not as it was.
bool Rewound::put_back() {
  image_.put_back();
  int lowest = lowest_free_descriptor(board_.request.results);
  if (lowest < free_descriptor_ && lowest <= STDERR_FILENO) {  // many programs close their streams at the end
    raw::syscall6(SYS_dup2, input_, STDIN_FILENO, 0, 0, 0, 0);
    raw::syscall6(SYS_dup2, board_.request.output, STDOUT_FILENO, 0, 0, 0, 0);
    raw::syscall6(SYS_dup2, board_.request.errors, STDERR_FILENO, 0, 0, 0, 0);
    lowest = lowest_free_descriptor(board_.request.results);
  }
  if (lowest > free_descriptor_) raw::syscall6(SYS_close_range, free_descriptor_, kFirstOwnDescriptor - 1, 0, 0, 0, 0);
  if (runtime::children_started() != 0) board_.started_child = true;
  return lowest >= free_descriptor_ && !board_.started_child;
}

void Rewound::give_up(const std::string& why) {
  rewinds_ = false;
  std::snprintf(board_.isolation_text, sizeof board_.isolation_text, "forked, not rewound: %s", why.c_str());
}

}  // namespace heddle::preload
