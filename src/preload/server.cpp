#include "preload/server.hpp"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "base/own_pages.hpp"
#include "base/raw.hpp"
#include "engine/carrier.hpp"
#include "engine/explorer.hpp"
#include "engine/in_process.hpp"
#include "engine/modules.hpp"
#include "engine/program_memory.hpp"
#include "engine/suppressed_races.hpp"
#include "options/budget.hpp"
#include "preload/arena.hpp"
#include "preload/forked.hpp"
#include "preload/heap.hpp"
#include "preload/output_rules.hpp"
#include "preload/prefixed.hpp"
#include "preload/rewound.hpp"
#include "preload/sanitizer.hpp"
#include "preload/schedule_list.hpp"
#include "preload/suppression_questions.hpp"
#include "preload/watchdog.hpp"
#include "runtime/front.hpp"
#include "runtime/tsan/watch.hpp"
#include "strategy/table.hpp"
#include "trace/file.hpp"

namespace heddle::preload {
namespace {

void set_text(char* to, std::size_t size, const std::string& text) { std::snprintf(to, size, "%s", text.c_str()); }

int wrong_use(Channel& channel, const std::string& text) {
  set_text(channel.text, sizeof channel.text, text);
  channel.ending = Ending::wrong_use;
  return 0;
}

/// What the program writes goes where the command can read it; each execution begins with what it had as its input.
void redirect(const Request& request) {
  dup2(request.output, STDOUT_FILENO);
  dup2(request.errors, STDERR_FILENO);
}

/// With what the last execution wrote, which was this one again.
void write_failure(const Request& request, const engine::Failure& failure, const Streams& streams) {
  const std::string trace = to_text(failure.trace);
  const std::string output = streams.output();
  const std::string errors = streams.errors();
  char line[100];
  std::snprintf(line, sizeof line, kFailureFormat, failure.confirmed ? 1 : 0,
                static_cast<unsigned long long>(failure.execution), trace.size(), output.size(), errors.size());
  for (const std::string& part : {std::string(line), trace, output, errors})
    raw::write_all(request.results, part.data(), part.size());
}

std::vector<Choice> requested_schedule(const Request& request) {
  std::vector<Choice> schedule;
  Choice choice;
  long at = 0;
  while (raw::syscall6(SYS_pread64, request.schedule, reinterpret_cast<long>(&choice), sizeof choice, at, 0, 0) ==
         sizeof choice) {
    schedule.push_back(choice);
    at += sizeof choice;
  }
  return schedule;
}

void count(Counts& counts, const engine::Progress& progress) {
  counts.executions = progress.executions;
  counts.steps = progress.steps;
  counts.distinct_schedules = progress.distinct_schedules;
  counts.distinct_is_exact = progress.distinct_is_exact;
  counts.novelty = progress.novelty;
  counts.elapsed_ns = progress.elapsed_ns;
}

/// The process ended in the middle of an execution, by something that heddle does not see: see Report.
bool was_lost(const engine::Failure& failure) {
  const VerdictKind kind = failure.verdict.kind;
  return failure.schedule.empty() && failure.verdict.operation == kNoOperation &&
         (kind == VerdictKind::signal || kind == VerdictKind::exited);
}

/// The words for a failure that the second run did not show again.
void explain_difference(engine::Failure& failure) {
  if (failure.confirmed) return;
  if (was_lost(failure)) {
    failure.trace = {};
    failure.trace.verdict = failure.verdict;
    failure.trace.verdict.set_text(std::string(failure.verdict.text()) + "; its schedule was lost with it");
    return;
  }
  failure.trace.verdict.kind = VerdictKind::diverged;
  failure.trace.verdict.set_text(engine::words_for_difference(failure));
}

void tell_repeated(Channel& channel, const Verdict& last_cut) {
  for (const Place& place : engine::repeated_places(last_cut)) {
    if (channel.repeated_count == kRepeatedMax) return;
    StuckPlace& told = channel.repeated[channel.repeated_count++];
    set_text(told.module, sizeof told.module, place.module);
    told.offset = place.offset;
  }
}

void explore(Channel& channel, engine::Explorer& explorer, const OutputRules& rules, const Streams& streams,
             strategy::Strategy& strategy) {
  const Request& request = channel.request;
  engine::Findings findings =
      explorer.explore(strategy, options::budget_of(request), request.seed, [&](const engine::Progress& progress) {
        count(channel.counts, progress);
        return !channel.stop.load(std::memory_order_relaxed);
      });
  count(channel.counts, findings.totals);
  channel.counts.cut = findings.cut;
  tell_repeated(channel, findings.last_cut);
  const runtime::Promoted& promoted = runtime::watch.promoted();
  set_text(channel.promoted, sizeof channel.promoted, promoted.text(promoted.size()));
  channel.finished = findings.finished;
  channel.nothing_to_choose = findings.nothing_to_choose;
  set_text(channel.text, sizeof channel.text, findings.explored);
  set_text(channel.search, sizeof channel.search, findings.search);
  set_text(channel.points_text, sizeof channel.points_text, findings.points);
  for (engine::Failure& failure : findings.failures) {
    explorer.replay(failure.schedule, strategy.is_fair(), failure.points);  // for what it writes
    explain_difference(failure);
    write_failure(request, failure, streams);
  }
  if (rules.saw_another_output()) {
    engine::Failure first = explorer.replay(rules.first_schedule(), strategy.is_fair());
    first.execution = 1;
    first.confirmed = true;
    write_failure(request, first, streams);
  }
}

void replay(Channel& channel, engine::Explorer& explorer, const Streams& streams) {
  engine::Failure again = explorer.replay(requested_schedule(channel.request), channel.request.replay_is_fair);
  again.confirmed = true;
  write_failure(channel.request, again, streams);
}

}  // namespace

Channel* channel_of_environment() {
  const char* const value = std::getenv(kChannelVariable);
  if (value == nullptr) return nullptr;
  const long pages =
      raw::syscall6(SYS_mmap, 0, sizeof(Channel), PROT_READ | PROT_WRITE, MAP_SHARED, std::atoi(value), 0);
  if (pages < 0 && pages > -4096) return nullptr;
  auto* const channel = reinterpret_cast<Channel*>(pages);
  own_pages.add(channel, (sizeof(Channel) + 4095) & ~std::size_t{4095});
  if (channel->version != kChannelVersion || channel->bytes != sizeof(Channel)) return nullptr;
  channel->runtime_started = true;
  return channel;
}

/// One execution is not worth a trial, and only a copy can be made in the middle.
IsolationMode isolation_of(const Request& request) {
  const bool has_to_be_prefix = request.replay || request.from_step != 0 || request.executions == 1;
  if (request.isolation != IsolationMode::automatic || !has_to_be_prefix) return request.isolation;
  return IsolationMode::prefix;
}

/// In memory of this process: every copy goes on with its own. Never destroyed, because the program's exit handlers run
/// in the copies, and heddle must outlive them.
template <typename T, typename... Arguments>
T& made_here(Arguments&&... arguments) {
  return *new (raw::map_pages(sizeof(T))) T(arguments...);
}

int serve(Channel& channel) {
  const Request& request = channel.request;
  share_pages();
  strategy::Parsed parsed = strategy::parse(request.strategy);
  if (!parsed.strategy) return wrong_use(channel, parsed.error);
  redirect(request);
  install_watchdog(channel);
  for (int code = 0; code < options::ExitCodes::kCount; ++code)
    if (request.exits.has(code)) runtime::front.accept_exit(code);
  const engine::Settings& settings = request;
  auto& carrier = made_here<engine::Carrier>();
  auto& inner = made_here<engine::InProcess>(carrier, runtime::front, settings);
  watch_sanitizer();
  if (is_heap_of_program())
    engine::used_heap = [] {
      const HeapExtent heap = heap_extent();
      return engine::UsedHeap{heap.begin, heap.bytes};
    };
  auto& streams = made_here<Streams>(request);
  channel.instrumented = runtime::watch.is_instrumented();
  std::string modules;
  for (const std::string& path : engine::paths_of_modules()) modules += path + "\n";
  set_text(channel.modules, sizeof channel.modules, modules);
  runtime::watch.promoted().add_all(request.promoted);
  runtime::watch.ignored().begin();
  if (request.suppresses) runtime::watch.ignored().expect();
  runtime::watch.ignored().add_all(request.ignored_races);
  auto& forked = made_here<Forked>(inner, carrier, streams, channel);
  try {
    engine::Isolation* isolation = &forked;
    const bool points_change =
        channel.instrumented && request.races == engine::Races::promote;  // before the first choice, too
    const IsolationMode mode = isolation_of(request);
    const bool on_trial = mode == IsolationMode::automatic;
    if (points_change)
      isolation = &forked;
    else if (mode == IsolationMode::prefix)
      isolation = &made_here<Prefixed>(inner, carrier, forked, streams, channel);
    else if (mode != IsolationMode::fork)
      isolation = &made_here<Rewound>(inner, carrier, forked, streams, channel, on_trial);
    auto& explorer = made_here<engine::Explorer>(*isolation);
    auto& questions = made_here<SuppressionQuestions>(channel);
    if (request.suppresses) explorer.add_filter(made_here<engine::SuppressedRaces>(questions));
    auto& rules = made_here<OutputRules>(streams, channel);
    explorer.add_filter(rules);
    if (request.list >= 0) explorer.add_filter(made_here<ScheduleList>(request.list));
    if (request.refines && channel.instrumented && request.from_step == 0)
      explorer.refine(runtime::levels_of_points(request.races), request.points);
    if (request.replay)
      replay(channel, explorer, streams);
    else
      explore(channel, explorer, rules, streams, *parsed.strategy);
  } catch (const std::regex_error& error) {
    return wrong_use(channel, std::string("the regular expression is wrong: ") + error.what());
  }
  channel.ending = Ending::done;
  raw::exit_process(0);
}

}  // namespace heddle::preload
