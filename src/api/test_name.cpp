#include "api/test_name.hpp"

#include <execinfo.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "engine/modules.hpp"
#include "report/symbolizer.hpp"
#include "report/text.hpp"
#include "trace/frames.hpp"

namespace heddle {
namespace {

using std::string_view;

/// Test frameworks that name the function of a test by a number.
bool is_numbered(string_view function) {
  constexpr std::array<string_view, 3> kParts = {"C_A_T_C_H", "CATCH2_INTERNAL", "DOCTEST_ANON"};
  return std::any_of(kParts.begin(), kParts.end(),
                     [&](string_view part) { return function.find(part) != string_view::npos; });
}

/// The first function on the stack that is not heddle's own.
std::string calling_function() {
  constexpr int kFrames = 40;
  void* addresses[kFrames];
  const auto count = static_cast<std::size_t>(::backtrace(addresses, kFrames));
  const std::vector<const void*> returns(addresses, addresses + count);
  Trace trace;
  trace.places = engine::places_of_calls(returns);
  report::symbolize(trace);
  for (const Place& place : trace.places)
    for (const Place::Line& line : place.lines)
      if (is_users({&place, &line}) && !line.function.empty()) return line.function;
  return {};
}

}  // namespace

std::string name_in_function(string_view function) {
  constexpr string_view kBody = "::TestBody";
  constexpr string_view kSuffix = "_Test";
  std::string name = report::short_function(function);
  const std::size_t body = name.find(kBody);
  if (body == std::string::npos) {
    if (const std::size_t lambda = name.find("::{lambda"); lambda != std::string::npos) name.resize(lambda);
    return name == "main" || name == "?" ? std::string() : name;
  }
  name.resize(body);  // Suite_Name_Test, perhaps in a namespace
  name.erase(0, name.rfind(':') + 1);
  if (name.ends_with(kSuffix)) name.resize(name.size() - kSuffix.size());
  if (const std::size_t gap = name.find('_'); gap != std::string::npos) name[gap] = '.';
  return name;
}

std::string name_of_test(const Exploration& exploration) {
  if (!exploration.given_name.empty()) return exploration.given_name;
  const std::string function = calling_function();
  return function.empty() || is_numbered(report::short_function(function)) ? exploration.name
                                                                           : name_in_function(function);
}

}  // namespace heddle
