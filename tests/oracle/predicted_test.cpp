// What an event is predicted to touch holds all that it then touches, in generated programs: so what is predicted to be
// independent is. The same for what it can enable and disable.
//
// A step ends where its operation stands before its next event. What it touches on its way there may be predicted for
// that one, and may be a once flag that is found set, the time from which a deadline is counted, or who is to join a
// thread. An operation that is alone reads the clock and ends on its way, too.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "oracle/child.hpp"
#include "oracle/explored.hpp"
#include "oracle/generate.hpp"

namespace heddle::oracle {
namespace {

using model::Footprint;
using model::Part;

bool covers(const Part& wide, const Part& narrow) {
  if (wide.of != narrow.of || (only_looks(wide.does) && !only_looks(narrow.does))) return false;
  return wide.what <= narrow.what && narrow.what + narrow.size <= wide.what + wide.size;
}

bool covers(const Footprint& predicted, const Part& part) {
  return predicted.is_everything() ||
         std::any_of(predicted.begin(), predicted.end(), [&](const Part& one) { return covers(one, part); });
}

bool is_once_flag(const Part& part) {
  return part.of == Part::Of::resource && part.does == model::Does::reads &&
         static_cast<model::ResourceKind>(part.what & 0xff) == model::ResourceKind::once;
}

/// The end of the operation, which is not a step where no other can go on, and the locks that it leaves.
bool is_of_end(const Part& part) {
  if (part.of != Part::Of::resource) return false;
  const auto kind = static_cast<model::ResourceKind>(part.what & 0xff);
  return part.what >> 63 != 0 || kind == model::ResourceKind::operation || kind == model::ResourceKind::mutex;
}

/// The next step of the same operation; null: it takes none.
const Step* step_after(const Recorded& recorded, std::size_t at) {
  for (std::size_t i = at + 1; i < recorded.steps.size(); ++i)
    if (recorded.steps[i].operation == recorded.steps[at].operation) return &recorded.steps[i];
  return nullptr;
}

/// On the way to the next event.
bool is_passed_by(const Program& program, const Step& step, const Part& part) {
  if (part.of != Part::Of::clock) return part.of == Part::Of::joiner || is_once_flag(part);
  return only_looks(part.does) || (uses(program, {Op::now}) && step.event.kind != model::EventKind::read_clock);
}

bool is_foreseen(const Program& program, const Step& step, const Step* next, const Part& part) {
  if (part.of == Part::Of::operation) {
    const OperationId whose{static_cast<std::uint32_t>(part.what)};
    return whose == step.operation || std::any_of(step.others.begin(), step.others.end(), [&](const Standing& one) {
             return one.operation == whose && one.is_dependent;
           });
  }
  if (covers(step.predicted, part) || is_passed_by(program, step, part)) return true;
  if (next != nullptr) return covers(next->predicted, part);
  return step.event.kind != model::EventKind::end && is_of_end(part);
}

std::string to_text(const Part& part) {
  static constexpr const char* kOf[] = {"resource", "operation", "bytes", "descriptor", "clock", "joiner"};
  std::string text = std::string(kOf[static_cast<int>(part.of)]) + " ";
  if (part.of == Part::Of::resource)
    text += std::string(name(static_cast<model::ResourceKind>(part.what & 0xff)));
  else
    text += std::to_string(part.what);
  return text + (only_looks(part.does) ? ", looked at" : ", changed");
}

/// The first step that touched something else; empty: none did.
std::string surprise(const Program& program, const Recorded& recorded) {
  for (std::size_t at = 0; at < recorded.steps.size(); ++at) {
    const Step& step = recorded.steps[at];
    if (!step.is_complete) continue;
    const std::string what = "T" + std::to_string(index(step.operation)) + " " + std::string(name(step.event.kind));
    if (step.footprint.is_everything() && !step.predicted.is_everything()) return what + " touched everything";
    for (const Part& part : step.footprint)
      if (!is_foreseen(program, step, step_after(recorded, at), part)) return what + " touched " + to_text(part);
  }
  return {};
}

/// Where the operation of `before` stands one step later; null: elsewhere, or it has ended.
const Standing* later(const Step& next, const Standing& before, Standing& chosen) {
  const auto is_there = [&](const Standing& one) {
    return one.operation == before.operation && one.event.kind == before.event.kind &&
           one.event.resource == before.event.resource;
  };
  chosen = {next.operation, next.event, true};
  if (is_there(chosen)) return &chosen;
  const auto found = std::find_if(next.others.begin(), next.others.end(), is_there);
  return found != next.others.end() ? &*found : nullptr;
}

/// The first operation that a step enabled or disabled against what was predicted; empty: there is none.
std::string unforeseen_turn(const Recorded& recorded) {
  for (std::size_t at = 0; at + 1 < recorded.steps.size(); ++at)
    for (const Standing& before : recorded.steps[at].others) {
      Standing chosen;
      const Standing* after = later(recorded.steps[at + 1], before, chosen);
      if (after == nullptr || after->is_enabled == before.is_enabled) continue;
      if (before.is_enabled ? before.can_be_disabled : before.can_be_enabled) continue;
      if (step_after(recorded, at) == nullptr) continue;  // its end, and the locks that it leaves
      return std::string(name(recorded.steps[at].event.kind)) + (before.is_enabled ? " disabled " : " enabled ") +
             std::string(name(before.event.kind));
    }
  return {};
}

class Prediction : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Of, Prediction, testing::Range(0, static_cast<int>(Theme::kCount)),
                         [](const auto& one) { return std::string(name(static_cast<Theme>(one.param))); });

TEST_P(Prediction, HoldsAllThatAStepTouchesEnablesAndDisables) {
  const auto theme = static_cast<Theme>(GetParam());
  constexpr std::uint64_t kPrograms = 60;
  constexpr std::uint64_t kExecutionsMax = 200;
  const Answer answer = in_child(120, [&](const Say& say) {
    for (std::uint64_t seed = 0; seed < kPrograms; ++seed) {
      const Program program = generate(theme, seed);
      std::string found;
      explore(program, "dfs", kExecutionsMax, On::carrier, [&](const Recorded& recorded) {
        if (found.empty()) found = surprise(program, recorded);
        if (found.empty()) found = unforeseen_turn(recorded);
      });
      if (!found.empty()) say(to_text(program) + "  " + found + "\n");
    }
  });
  ASSERT_FALSE(answer.died) << answer.text;
  EXPECT_EQ(answer.text, "");
}

}  // namespace
}  // namespace heddle::oracle
