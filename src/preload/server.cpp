#include "preload/server.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "base/machine.hpp"
#include "base/own_descriptors.hpp"
#include "base/own_pages.hpp"
#include "base/raw.hpp"
#include "engine/carrier.hpp"
#include "engine/explorer.hpp"
#include "engine/in_process.hpp"
#include "engine/modules.hpp"
#include "engine/program_memory.hpp"
#include "engine/suppressed_races.hpp"
#include "options/budget.hpp"
#include "preload/allocator.hpp"
#include "preload/arena.hpp"
#include "preload/command_suppressions.hpp"
#include "preload/forked.hpp"
#include "preload/heap.hpp"
#include "preload/output_rules.hpp"
#include "preload/prefixed.hpp"
#include "preload/rewound.hpp"
#include "preload/sanitizer.hpp"
#include "preload/schedule_list.hpp"
#include "preload/watchdog.hpp"
#include "runtime/front.hpp"
#include "runtime/kernel_calls/uncontrolled.hpp"
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

/// Sends the program's output to where the command can read it. Each execution starts with the same input.
void redirect(const Request& request) {
  dup2(request.output, STDOUT_FILENO);
  dup2(request.errors, STDERR_FILENO);
}

/// Collects the failures. They are written whenever there is a new one, as the command may end this process, and once
/// more when the program has run for the last time: it may write to any descriptor that it finds open, or close it.
class Results {
 public:
  explicit Results(const Streams& streams) : streams_(streams) {}

  /// Includes the output of the last execution, which was this failure again.
  void add(const engine::Failure& failure) {
    const std::string trace = to_text(failure.trace);
    const std::string output = streams_.output();
    const std::string errors = streams_.errors();
    char line[100];
    std::snprintf(line, sizeof line, kFailureFormat, failure.confirmed ? 1 : 0,
                  static_cast<unsigned long long>(failure.execution), trace.size(), output.size(), errors.size());
    text_ += line;
    text_ += trace;
    text_ += output;
    text_ += errors;
  }

  void write(int descriptor) const {
    streams_.reopen();
    raw::syscall6(SYS_ftruncate, descriptor, 0, 0, 0, 0, 0);
    if (const int error = raw::write_all(descriptor, text_.data(), text_.size())) end_refused(Scarce::file, error);
  }

 private:
  const Streams& streams_;
  std::string text_;
};

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

/// The process ended in the middle of an execution, in a way that heddle does not see: see Report.
bool was_lost(const engine::Failure& failure) {
  const VerdictKind kind = failure.verdict.kind;
  return failure.schedule.empty() && failure.verdict.operation == kNoOperation &&
         (kind == VerdictKind::signal || kind == VerdictKind::exited);
}

/// Words the message for a failure that did not occur again in the second run.
void explain_difference(engine::Failure& failure) {
  if (failure.confirmed) return;
  if (was_lost(failure)) {
    failure.trace = {};
    failure.trace.verdict = failure.verdict;
    failure.trace.verdict.set_text(std::string(failure.verdict.text()) + "; its schedule was lost with it");
    return;
  }
  if (failure.second_verdict.cut == CutReason::ended) {
    failure.trace.verdict = failure.verdict;
    failure.trace.verdict.set_text(std::string(failure.verdict.text()) + "; its second run had to be ended");
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

void explore(Channel& channel, engine::Explorer& explorer, const OutputRules& rules, Results& results,
             strategy::Strategy& strategy) {
  const Request& request = channel.request;
  explorer.tell_failures([&](const engine::Failure& found) {
    engine::Failure failure = found;
    explorer.replay(failure.schedule, strategy.is_fair(), failure.points, failure.choices);  // to get its output
    explain_difference(failure);
    results.add(failure);
    results.write(request.results);
  });
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
  if (rules.saw_another_output()) {
    engine::Failure first =
        explorer.replay(rules.first_schedule(), strategy.is_fair(), findings.first_points, findings.first_choices);
    first.execution = 1;
    first.confirmed = true;
    results.add(first);
  }
}

void replay(const Channel& channel, engine::Explorer& explorer, Results& results) {
  engine::Failure again = explorer.replay(requested_schedule(channel.request), channel.request.replay_is_fair);
  again.confirmed = true;
  results.add(again);
}

/// Programs that this one executes get none of heddle's descriptors. The channel itself is mapped by now.
void keep_descriptors(const Request& request, int channel) {
  own_descriptors.set(request.first_descriptor);
  raw::syscall6(SYS_close, channel, 0, 0, 0, 0, 0);
  for (const int file :
       {request.output, request.errors, request.results, request.schedule, request.question, request.list})
    if (file >= 0) raw::syscall6(SYS_fcntl, file, F_SETFD, FD_CLOEXEC, 0, 0, 0);
}

Channel* the_channel = nullptr;

/// The command ends all processes of this exploration when it sees that.
void tell_refusal(const char* sentence) {
  std::snprintf(the_channel->text, sizeof the_channel->text, "%s", sentence);
  the_channel->ending = Ending::refused;
}

}  // namespace

Channel* channel_of_environment() {
  const char* const value = ::secure_getenv(kChannelVariable);
  if (value == nullptr) return nullptr;
  const long pages =
      raw::syscall6(SYS_mmap, 0, sizeof(Channel), PROT_READ | PROT_WRITE, MAP_SHARED, std::atoi(value), 0);
  if (pages < 0 && pages > -4096) return nullptr;
  auto* const channel = reinterpret_cast<Channel*>(pages);
  own_pages.add(channel, (sizeof(Channel) + 4095) & ~std::size_t{4095});
  if (channel->version != kChannelVersion || channel->bytes != sizeof(Channel)) return nullptr;
  keep_descriptors(channel->request, std::atoi(value));
  the_channel = channel;
  set_refusal_hook(tell_refusal);
  channel->runtime_started = true;
  return channel;
}

/// One execution is not worth a trial, and only a copy can be taken in the middle of an execution.
IsolationMode isolation_of(const Request& request) {
  const bool has_to_be_prefix = request.replay || request.from_step != 0 || request.executions == 1;
  if (request.isolation != IsolationMode::automatic || !has_to_be_prefix) return request.isolation;
  return IsolationMode::prefix;
}

/// Allocates in memory of this process: every copy goes on with its own. Never destroyed, because the program's exit
/// handlers run in the copies, and heddle must outlive them.
template <typename T, typename... Arguments>
T& made_here(Arguments&&... arguments) {
  return *new (raw::map_pages(sizeof(T))) T(arguments...);
}

int serve(Channel& channel) {
  const Request& request = channel.request;
  channel.main_reached = true;
  share_pages();
  strategy::Parsed parsed = strategy::parse(request.strategy);
  if (!parsed.strategy) return wrong_use(channel, parsed.error);
  const bool spares = request.spares && !request.replay && request.from_step == 0;
  if (spares && !parsed.strategy->is_systematic()) channel.request.choices = engine::Choices::needed;
  redirect(request);
  adopt_strays();
  install_watchdog(channel);
  runtime::keep_uncontrolled(&channel.uncontrolled);
  for (int code = 0; code < options::ExitCodes::kCount; ++code)
    if (request.exits.has(code)) runtime::front.accept_exit(code);
  const engine::Settings& settings = request;
  auto& carrier = made_here<engine::Carrier>();
  auto& inner = made_here<engine::InProcess>(carrier, runtime::front, settings);
  watch_sanitizer();
  if (!has_own_allocator())
    engine::used_heap = [] {
      const HeapExtent heap = heap_extent();
      return engine::UsedHeap{heap.begin, heap.bytes};
    };
  auto& streams = made_here<Streams>(request);
  channel.instrumented = runtime::watch.is_instrumented();
  if (request.refines && !channel.instrumented) channel.request.points = engine::Points::sync;
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
        channel.instrumented && request.races == engine::Races::promote;  // also before the first choice
    const IsolationMode mode = isolation_of(request);
    const bool on_trial = mode == IsolationMode::automatic;
    if (mode == IsolationMode::prefix && points_change)
      set_text(channel.isolation_text, sizeof channel.isolation_text,
               "forked before main: with --races promote, the first choice is not always the same");
    else if (mode == IsolationMode::prefix)
      isolation = &made_here<Prefixed>(inner, carrier, forked, streams, channel);
    else if (mode != IsolationMode::fork)
      isolation = &made_here<Rewound>(inner, carrier, forked, streams, channel, on_trial);
    auto& explorer = made_here<engine::Explorer>(*isolation);
    auto& suppressions = made_here<CommandSuppressions>(channel);
    if (request.suppresses) explorer.add_filter(made_here<engine::SuppressedRaces>(suppressions));
    auto& rules = made_here<OutputRules>(streams, channel);
    explorer.add_filter(rules);
    if (request.list >= 0) explorer.add_filter(made_here<ScheduleList>(request.list));
    if (spares) explorer.spare_choices();
    if (request.refines && request.from_step == 0) explorer.refine(runtime::levels_of_points(), request.points);
    Results results(streams);
    if (request.replay)
      replay(channel, explorer, results);
    else
      explore(channel, explorer, rules, results, *parsed.strategy);
    results.write(request.results);
  } catch (const std::regex_error& error) {
    return wrong_use(channel, std::string("the regular expression is wrong: ") + error.what());
  }
  channel.ending = Ending::done;
  raw::exit_process(0);
}

}  // namespace heddle::preload
