#include "runtime/capi/error.hpp"

#include <cstdarg>
#include <cstdio>

#include "trace/verdict.hpp"

namespace heddle::runtime::capi {
namespace {

struct Meaning {
  heddle_code code;
  const char* name;
  const char* sentence;
};

#define HEDDLE_MEANING(code, sentence) \
  { code, #code, sentence }

constexpr Meaning kMeanings[] = {
    HEDDLE_MEANING(HEDDLE_OK, "nothing is wrong"),
    HEDDLE_MEANING(HEDDLE_DEADLOCK, "no operation could go on"),
    HEDDLE_MEANING(HEDDLE_LIVELOCK, "the iteration has no end"),
    HEDDLE_MEANING(HEDDLE_CUT, "the iteration was stopped at steps_max"),
    HEDDLE_MEANING(HEDDLE_NEVER_STARTED, "an operation was created, and no thread came for it"),
    HEDDLE_MEANING(HEDDLE_FAILED, "heddle_fail was called"),
    HEDDLE_MEANING(HEDDLE_DIVERGED, "the replay could not be followed"),
    HEDDLE_MEANING(HEDDLE_NOT_OPEN, "no exploration is open: call heddle_open first"),
    HEDDLE_MEANING(HEDDLE_NOT_ATTACHED, "nothing is attached: calls between heddle_attach and heddle_detach count"),
    HEDDLE_MEANING(HEDDLE_ALREADY_ATTACHED, "an iteration is on: call heddle_detach first"),
    HEDDLE_MEANING(HEDDLE_ALREADY_EXPLORING,
                   "inside the body of heddle::explore, which opens, attaches, detaches and writes traces itself"),
    HEDDLE_MEANING(HEDDLE_NOTHING_LEFT, "the strategy has nothing left to explore"),
    HEDDLE_MEANING(HEDDLE_BAD_STRATEGY, "there is no such strategy"),
    HEDDLE_MEANING(HEDDLE_BAD_TRACE, "the trace cannot be replayed"),
    HEDDLE_MEANING(HEDDLE_NOTHING_TO_SAVE, "no iteration has run yet"),
    HEDDLE_MEANING(HEDDLE_CANNOT_WRITE, "the trace could not be written"),
    HEDDLE_MEANING(HEDDLE_BAD_ARGUMENT, "an argument is not one that the call takes"),
    HEDDLE_MEANING(HEDDLE_DUPLICATE_OPERATION, "the operation was created already, and has not ended"),
    HEDDLE_MEANING(HEDDLE_UNKNOWN_OPERATION, "no such operation was created in this iteration"),
    HEDDLE_MEANING(HEDDLE_NOT_STARTED, "the operation has not started"),
    HEDDLE_MEANING(HEDDLE_ALREADY_STARTED, "the operation has started already"),
    HEDDLE_MEANING(HEDDLE_ALREADY_ENDED, "the operation has ended already"),
    HEDDLE_MEANING(HEDDLE_MAIN_CREATED, "operation 0 is the one that attached: it cannot be created"),
    HEDDLE_MEANING(HEDDLE_MAIN_STARTED, "operation 0 is the one that attached: it cannot be started"),
    HEDDLE_MEANING(HEDDLE_MAIN_ENDED, "operation 0 is the one that attached: it ends by heddle_detach"),
    HEDDLE_MEANING(HEDDLE_NOT_MAIN, "only the thread that called heddle_attach can call heddle_detach"),
    HEDDLE_MEANING(HEDDLE_NOT_RUNNING,
                   "the calling thread is not the running operation: heddle_start_operation makes "
                   "it one, and heddle_end_operation ends that"),
    HEDDLE_MEANING(HEDDLE_THREAD_TAKEN, "the calling thread is an operation already: start it from its own thread"),
    HEDDLE_MEANING(HEDDLE_NOT_WAITING, "the operation does not wait for that resource"),
    HEDDLE_MEANING(HEDDLE_DUPLICATE_RESOURCE, "the resource was created already"),
    HEDDLE_MEANING(HEDDLE_UNKNOWN_RESOURCE, "no such resource was created in this iteration"),
    HEDDLE_MEANING(HEDDLE_RESOURCE_IN_USE, "an operation waits for the resource"),
};
#undef HEDDLE_MEANING

constexpr Meaning kNoMeaning{HEDDLE_OK, "HEDDLE_?", ""};

const Meaning& meaning(int code) {
  for (const Meaning& entry : kMeanings)
    if (entry.code == code) return entry;
  return kNoMeaning;
}

struct LastError {
  heddle_code code;  // the message is the meaning of the code; HEDDLE_OK: the message is the text
  char text[sizeof Verdict::message + 100];
};
thread_local constinit LastError last{HEDDLE_OK, ""};

}  // namespace

heddle_code error(heddle_code code) {
  last.code = code;
  return code;
}

heddle_code error(heddle_code code, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(last.text, sizeof last.text, format, arguments);
  va_end(arguments);
  last.code = HEDDLE_OK;
  return code;
}

}  // namespace heddle::runtime::capi

using namespace heddle::runtime::capi;

const char* heddle_error_name(int code) { return meaning(code).name; }

const char* heddle_last_error_message() { return last.code != HEDDLE_OK ? meaning(last.code).sentence : last.text; }
