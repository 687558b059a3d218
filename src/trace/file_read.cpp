// Reads what file_write.cpp writes, and never trusts it. Every number is checked against the table it indexes, and the
// first error ends reading with one sentence.
//
// Tables refer to each other (an operation to a resource, a step to a place). So the lines are first sorted into their
// sections, and a section is read once the sections it refers to are known.
#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <span>

#include "base/printable.hpp"
#include "model/mutex.hpp"
#include "trace/file.hpp"
#include "trace/seal.hpp"
#include "trace/text.hpp"

namespace heddle {
namespace {

using std::string_view;

struct Line {
  string_view text;
  std::size_t number = 0;  // from 1
};

enum Section { kHeader, kOperations, kResources, kSteps, kNotes, kPlaces, kEnd };
constexpr std::array<string_view, 7> kSections = {"header", "operations", "resources", "steps",
                                                  "notes",  "places",     "end"};
constexpr string_view kSeal = "seal";
constexpr std::size_t kSealDigits = 64;

/// Takes words off the front of a line. Blanks separate words; several count as one.
class LineWords {
 public:
  explicit LineWords(string_view text) : rest_(text) {}

  string_view peek() const {
    const string_view rest = this->rest();
    return rest.substr(0, rest.find(' '));
  }
  string_view take() {
    const string_view word = peek();
    rest_ = rest().substr(word.size());
    return word;
  }
  bool take_if(string_view wanted) {
    if (peek() != wanted) return false;
    take();
    return true;
  }
  string_view rest() const { return rest_.substr(std::min(rest_.find_first_not_of(' '), rest_.size())); }

 private:
  string_view rest_;
};

template <typename Number>
bool to_number(string_view text, Number& number, int base = 10) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return error == std::errc() && end == text.data() + text.size() && !text.empty() && text[0] != '-';
}

class Parser {
 public:
  Parser(string_view text, string_view file) : whole_(text), file_(file) {}

  LoadedTrace result() {
    const bool good = split() && first_line() && take_seal() && sort_lines() && read_resources() && read_operations() &&
                      read_steps() && read_notes() && read_header() && read_places() && read_end();
    if (!good) return {std::nullopt, std::move(loaded_.error)};
    loaded_.trace = std::move(trace_);
    return std::move(loaded_);
  }

 private:
  // Error reporting. These functions return false.

  bool wrong(const Line& line, const std::string& what) {
    loaded_.error = printable(std::string(file_) + ":" + std::to_string(line.number) + ": " + what);
    return false;
  }

  bool not_a_trace(const Line& line) {
    return wrong(line, "this is not a trace of heddle: expected `heddle trace " + std::to_string(kTraceVersion) + "`");
  }

  bool too_many(const Line& line, const std::string& what, std::size_t most) {
    return wrong(line, "there are more than " + std::to_string(most) + " " + what + ", which no trace has");
  }

  bool expected(const Line& line, const std::string& what, string_view got) {
    constexpr std::size_t kShown = 40;
    std::string shown = escaped(got.substr(0, kShown));
    if (got.size() > kShown) shown += "…";
    return wrong(line, "expected " + what + (got.empty() ? ", but the line ends" : ", got `" + shown + "`"));
  }

  // From bytes to lines in sections.

  bool split() {
    string_view text = whole_;
    for (std::size_t number = 1; !text.empty(); ++number) {
      const std::size_t length = std::min(text.find('\n'), text.size());
      string_view line = text.substr(0, length);
      while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
      if (!is_text({line, number})) return false;
      if (!line.empty()) lines_.push_back({line, number});
      last_line_ = number;
      text.remove_prefix(std::min(length + 1, text.size()));
    }
    return true;
  }

  /// A trace has control characters only as escapes.
  bool is_text(const Line& line) {
    if (line.text.size() > kTraceLineBytesMax)
      return wrong(line, "the line is longer than " + std::to_string(kTraceLineBytesMax) + " bytes");
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
    const auto* const found = std::find_if(line.text.begin(), line.text.end(), is_control);
    if (found == line.text.end()) return true;
    if (lines_.empty()) return not_a_trace(line);
    std::string shown;
    append_hex(shown, *found);
    return wrong(line, "expected text, got the control character " + shown);
  }

  /// The last line may be a seal of everything before it.
  bool take_seal() {
    const Line line = lines_.back();
    LineWords words(line.text);
    if (!words.take_if(kSeal)) return true;
    const string_view seal = words.rest();
    if (seal.size() != kSealDigits || seal.find_first_not_of("0123456789abcdef") != string_view::npos)
      return expected(line, "a seal of " + std::to_string(kSealDigits) + " digits", seal);
    loaded_.seal = seal;
    loaded_.digest = digest_of(whole_.substr(0, static_cast<std::size_t>(line.text.data() - whole_.data())));
    lines_.pop_back();
    return true;
  }

  bool first_line() {
    const Line line = lines_.empty() ? Line{{}, 1} : lines_.front();
    LineWords words(line.text);
    int version = 0;
    if (!words.take_if("heddle") || !words.take_if("trace") || !to_number(words.rest(), version) || version < 1) {
      return not_a_trace(line);
    }
    if (version > kTraceVersion) {
      loaded_.error = printable(std::string(file_) + ": written by a newer heddle (version " + std::to_string(version) +
                                "); this one reads up to " + std::to_string(kTraceVersion));
      return false;
    }
    return true;
  }

  bool sort_lines() {
    int current = kHeader;
    for (const Line& line : std::span(lines_).subspan(1)) {
      if (current == kEnd) return wrong(line, "expected nothing after `end`");
      const bool is_entry = line.text[0] == ' ';
      if (current == kSteps && line.text == kSections[kPlaces]) ++current;  // most traces have no notes
      if (!is_entry && LineWords(line.text).peek() == kSections[current + 1]) {
        if (++current == kEnd) sections_[kEnd].push_back(line);
      } else if (is_entry == (current == kHeader)) {
        return expected(line, current == kHeader ? "a header line, or `operations`" : next_section(current), line.text);
      } else {
        sections_[current].push_back(line);
      }
    }
    if (current == kEnd) return true;
    return wrong({{}, last_line_}, "the file was cut short: expected " + next_section(current) + " after this");
  }

  static std::string next_section(int current) {
    if (current == kHeader) return "`operations`";
    const int next = current == kSteps ? kPlaces : current + 1;
    return "another of the " + std::string(kSections[current]) + " or `" + std::string(kSections[next]) + "`";
  }

  // Parts of lines.

  bool read_string(const Line& line, string_view text, std::string& into) {
    std::optional<std::string> plain = unescaped(text);
    if (!plain) return expected(line, "text without a broken escape", text);
    into = std::move(*plain);
    return true;
  }

  /// Text that is handed to the system, which ends it at a zero.
  bool read_system_string(const Line& line, string_view text, std::string& into) {
    if (!read_string(line, text, into)) return false;
    return into.find('\0') == std::string::npos || wrong(line, "expected text without a zero byte");
  }

  /// ` as` and a name, or the end of the line.
  bool read_name(const Line& line, LineWords& words, std::string& into) {
    if (words.take_if("as")) return read_string(line, words.rest(), into);
    return words.rest().empty() || expected(line, "`as` and a name, or the end of the line", words.rest());
  }

  bool read_operation(const Line& line, string_view word, OperationId& into) {
    std::uint32_t number = 0;
    if (word.empty() || word[0] != 'T' || !to_number(word.substr(1), number))
      return expected(line, "an operation such as T3", word);
    if (number >= sections_[kOperations].size())
      return wrong(line, std::string(word) + " is not among the " + std::to_string(sections_[kOperations].size()) +
                             " operations");
    into = OperationId{number};
    return true;
  }

  bool read_event_kind(const Line& line, string_view word, model::EventKind& into) {
    into = model::kind_named(word);
    return into != model::EventKind::kCount || expected(line, "an event such as lock", word);
  }

  bool read_resource(const Line& line, string_view word, ResourceId& into) {
    const auto found = resource_ids_.find(word);
    if (found == resource_ids_.end()) return expected(line, "one of the resources, such as m1", word);
    into = found->second;
    return true;
  }

  /// `{5,2}`
  bool read_stack(const Line& line, string_view word, std::vector<std::uint32_t>& into) {
    const std::string what = "a stack such as {5,2}";
    if (word.size() < 2 || word.front() != '{' || word.back() != '}') return expected(line, what, word);
    string_view rest = word.substr(1, word.size() - 2);
    while (!rest.empty()) {
      const std::size_t length = std::min(rest.find(','), rest.size());
      std::uint32_t place = 0;
      if (!to_number(rest.substr(0, length), place) || length + 1 == rest.size()) return expected(line, what, word);
      if (into.size() == kTraceFramesMax) return too_many(line, "frames in a stack", kTraceFramesMax);
      into.push_back(place);
      places_used_ = std::max(places_used_, static_cast<std::size_t>(place) + 1);
      rest.remove_prefix(std::min(length + 1, rest.size()));
    }
    return true;
  }

  // Sections.

  bool read_resources() {
    for (const Line& line : sections_[kResources]) {
      LineWords words(line.text);
      TraceResource resource;
      const auto id = static_cast<std::uint32_t>(trace_.resources.size());
      const string_view name = words.take();
      if (!resource_ids_.emplace(name, ResourceId{id}).second)
        return wrong(line, std::string(name) + " is there twice");
      resource.kind = model::resource_kind_named(words.peek());
      if (resource.kind == model::ResourceKind::kCount)
        return expected(line, "a kind of resource such as mutex", words.peek());
      words.take();
      if (!read_holder(line, words, resource.holder)) return false;
      if (!read_name(line, words, resource.name)) return false;
      trace_.resources.push_back(std::move(resource));
    }
    return true;
  }

  /// `of T1`, `held by T1`, `held outside`, or nothing.
  bool read_holder(const Line& line, LineWords& words, OperationId& into) {
    if (words.take_if("of")) return read_operation(line, words.take(), into);
    if (!words.take_if("held")) return true;
    if (words.take_if("by")) return read_operation(line, words.take(), into);
    into = model::kOutsideOwner;
    return words.take_if("outside") || expected(line, "`by` and an operation", words.rest());
  }

  bool read_operations() {
    if (sections_[kOperations].size() > kTraceOperationsMax)
      return too_many(sections_[kOperations].back(), "operations", kTraceOperationsMax);
    for (const Line& line : sections_[kOperations]) {
      LineWords words(line.text);
      OperationId id{};
      if (!read_operation(line, words.take(), id)) return false;
      if (index(id) != trace_.operations.size())
        return expected(line, "T" + std::to_string(trace_.operations.size()), LineWords(line.text).peek());
      TraceOperation operation;
      if (words.take_if("from") && !read_operation(line, words.take(), operation.parent)) return false;
      operation.ended = words.take_if("ended");
      if (words.take_if("before") && !read_next(line, words, operation.next)) return false;
      if (words.peek().starts_with('{') && !read_stack(line, words.take(), operation.stack)) return false;
      if (!read_name(line, words, operation.name)) return false;
      trace_.operations.push_back(std::move(operation));
    }
    return true;
  }

  bool read_next(const Line& line, LineWords& words, model::Event& next) {
    if (!read_event_kind(line, words.take(), next.kind)) return false;
    const string_view word = words.peek();
    if (word.empty() || word == "as" || word[0] == '{') return true;
    return read_resource(line, words.take(), next.resource);
  }

  bool read_steps() {
    for (const Line& line : sections_[kSteps]) {
      LineWords words(line.text);
      TraceStep step;
      const std::string number = std::to_string(trace_.steps.size() + 1);
      if (!words.take_if(number)) return expected(line, "step " + number, words.peek());
      step.preempts = words.take_if("!");
      step.is_choice = step.preempts || words.take_if("*");
      if (!read_operation(line, words.take(), step.operation)) return false;
      if (!read_event_kind(line, words.take(), step.kind)) return false;
      if (words.peek().starts_with('=') && !read_value(line, words.take(), step)) return false;
      if (!read_rest_of_step(line, words, step)) return false;
      trace_.steps.push_back(std::move(step));
    }
    return true;
  }

  /// `17 T3 sent T5 Prepare`
  bool read_notes() {
    for (const Line& line : sections_[kNotes]) {
      LineWords words(line.text);
      TraceNote& note = trace_.notes.emplace_back();
      if (!to_number(words.peek(), note.step) || note.step > trace_.steps.size())
        return expected(line, "the number of a step", words.peek());
      words.take();
      if (!read_operation(line, words.take(), note.operation)) return false;
      if (!read_string(line, words.take(), note.what)) return false;
      if (!words.take_if("-") && !read_operation(line, words.take(), note.other)) return false;
      if (!read_string(line, words.rest(), note.text)) return false;
    }
    return true;
  }

  /// `=1/3`
  bool read_value(const Line& line, string_view word, TraceStep& step) {
    const std::size_t slash = word.find('/');
    const bool good = slash != string_view::npos && to_number(word.substr(1, slash - 1), step.value) &&
                      to_number(word.substr(slash + 1), step.bound) && step.value < step.bound &&
                      step.bound <= kValueBoundMax;
    return good || expected(line, "a value and its bound such as =1/3", word);
  }

  /// `m2 (queue_lock) at queue.cpp:40 {5,2}`
  bool read_rest_of_step(const Line& line, LineWords& words, TraceStep& step) {
    const string_view rest = words.rest();
    const std::size_t brace = rest.rfind('{');
    if (brace == string_view::npos) return expected(line, "a stack such as {5,2} at the end of the step", rest);
    if (brace > 0 && words.peek() != "at" && !read_resource(line, words.peek(), step.resource)) return false;
    return read_stack(line, rest.substr(brace), step.stack);
  }

  bool read_places() {
    for (const Line& line : sections_[kPlaces]) {
      const bool is_source_line = line.text.starts_with("      ");
      if (is_source_line && trace_.places.empty()) return expected(line, "place 0", line.text);
      if (is_source_line ? !read_source_line(line) : !read_place(line)) return false;
    }
    if (places_used_ <= trace_.places.size()) return true;
    return wrong(sections_[kEnd][0], "expected " + std::to_string(places_used_) + " places before this, got " +
                                         std::to_string(trace_.places.size()));
  }

  bool read_place(const Line& line) {
    LineWords words(line.text);
    const std::string number = std::to_string(trace_.places.size());
    if (!words.take_if(number)) return expected(line, "place " + number, words.peek());
    const string_view rest = words.rest();
    const std::size_t plus = rest.rfind("+0x");
    Place place;
    if (plus == string_view::npos || !to_number(rest.substr(plus + 3), place.offset, 16))
      return expected(line, "a file and an offset such as bank+0x11a4", rest);
    if (!read_string(line, rest.substr(0, plus), place.module)) return false;
    trace_.places.push_back(std::move(place));
    return true;
  }

  bool read_source_line(const Line& line) {
    LineWords words(line.text);
    const string_view at = words.take();
    const std::size_t colon = at.rfind(':');
    Place::Line source;
    if (colon == string_view::npos || !to_number(at.substr(colon + 1), source.line))
      return expected(line, "a file and a line such as bank.cpp:27", at);
    if (!read_string(line, at.substr(0, colon), source.file)) return false;
    if (!read_string(line, words.rest(), source.function)) return false;
    if (trace_.places.back().lines.size() == kTraceInlinedMax)
      return too_many(line, "functions at one place", kTraceInlinedMax);
    trace_.places.back().lines.push_back(std::move(source));
    return true;
  }

  bool read_header() {
    for (const Line& line : sections_[kHeader]) {
      LineWords words(line.text);
      const string_view key = words.take();
      if (!read_header_line(line, key, words)) return false;
    }
    return true;
  }

  bool read_header_line(const Line& line, string_view key, LineWords& words) {
    TraceHeader& header = trace_.header;
    if (key == "access") return read_access(line, words);
    if (key == "option") return read_option(line, words.rest());
    if (key == "argument") return read_argument(line, words.rest());
    if (!header_keys_.insert(key).second) return wrong(line, "there is a second line `" + std::string(key) + "`");
    if (key == "verdict") return read_verdict(line, words);
    if (key == "mention") return read_mention(line, words);
    if (key == "seed") return read_count(line, words.rest(), header.seed);
    if (key == "execution") return read_count(line, words.rest(), header.execution);
    const std::map<string_view, std::string*> strings = {
        {"program", &header.program},   {"directory", &header.directory},     {"strategy", &header.strategy},
        {"build-id", &header.build_id}, {"exploration", &header.exploration},
    };
    const auto found = strings.find(key);
    if (found == strings.end()) return expected(line, "a header line such as `seed 7`", line.text);
    return read_system_string(line, words.rest(), *found->second);
  }

  bool read_argument(const Line& line, string_view text) {
    std::vector<std::string>& arguments = trace_.header.arguments;
    if (arguments.size() == kTraceSettingsMax) return too_many(line, "arguments", kTraceSettingsMax);
    return read_system_string(line, text, arguments.emplace_back());
  }

  /// `T2 write 4 {5,2}`, and the locks held, if known: `holding m2@17 m1@12`
  bool read_access(const Line& line, LineWords& words) {
    TraceAccess& access = trace_.accesses.emplace_back();
    if (!words.take_if("-") && !read_operation(line, words.take(), access.operation)) return false;
    access.what = access_named(words.peek());
    if (access.what == AccessKind::kCount) return expected(line, "an access such as read", words.peek());
    words.take();
    if (!to_number(words.peek(), access.bytes)) return expected(line, "a number of bytes", words.peek());
    words.take();
    if (!read_stack(line, words.take(), access.stack)) return false;
    return !words.take_if("holding") || read_locks(line, words, access.locks.emplace());
  }

  bool read_locks(const Line& line, LineWords& words, std::vector<TraceLock>& into) {
    for (string_view word = words.take(); !word.empty(); word = words.take()) {
      const std::size_t at = word.find('@');
      TraceLock& lock = into.emplace_back();
      if (at == string_view::npos || !to_number(word.substr(at + 1), lock.step) || lock.step > trace_.steps.size())
        return expected(line, "a lock and the step that took it such as m1@12", word);
      if (!read_resource(line, word.substr(0, at), lock.lock)) return false;
    }
    return true;
  }

  bool read_count(const Line& line, string_view text, std::uint64_t& into) {
    return to_number(text, into) || expected(line, "a number", text);
  }

  bool read_option(const Line& line, string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == string_view::npos) return expected(line, "an option such as key=value", text);
    if (loaded_.option_lines.size() == kTraceSettingsMax) return too_many(line, "options", kTraceSettingsMax);
    auto& [key, value] = trace_.header.options.emplace_back();
    if (!read_system_string(line, text.substr(0, equals), key)) return false;
    if (!loaded_.option_lines.emplace(key, line.number).second)
      return wrong(line, "there is a second option `" + key + "`");
    return read_system_string(line, text.substr(equals + 1), value);
  }

  bool read_verdict(const Line& line, LineWords& words) {
    Verdict& verdict = trace_.verdict;
    verdict.kind = verdict_named(words.peek());
    if (verdict.kind == VerdictKind::kCount) return expected(line, "a verdict such as deadlock", words.peek());
    words.take();
    if (!words.take_if("-") && !read_operation(line, words.take(), verdict.operation)) return false;
    std::string message;
    if (!read_string(line, words.rest(), message)) return false;
    if (message.size() >= sizeof verdict.message) return wrong(line, "the message is too long");
    verdict.set_text(message);
    return true;
  }

  /// `x1 10 11`: the subject of the verdict, and which characters of its message name it.
  bool read_mention(const Line& line, LineWords& words) {
    Mention& mention = trace_.verdict.mention;
    if (!read_resource(line, words.take(), mention.what)) return false;
    const string_view at = words.take();
    return (to_number(at, mention.at) && to_number(words.rest(), mention.length)) ||
           expected(line, "where the message names it, such as 10 11", at);
  }

  bool read_end() {
    const Line& line = sections_[kEnd][0];
    const std::string end = "end " + std::to_string(trace_.steps.size());
    return line.text == end || expected(line, "`" + end + "` after so many steps", line.text);
  }

  string_view whole_;
  string_view file_;
  std::vector<Line> lines_;  // without the empty ones
  std::size_t last_line_ = 1;
  std::array<std::vector<Line>, kSections.size()> sections_;
  std::map<string_view, ResourceId> resource_ids_;
  std::size_t places_used_ = 0;        // one more than the highest place in any stack
  std::set<string_view> header_keys_;  // those that can be there only once
  Trace trace_;
  LoadedTrace loaded_;
};

}  // namespace

LoadedTrace parse_trace(string_view text, string_view file) { return Parser(text, file).result(); }

}  // namespace heddle
