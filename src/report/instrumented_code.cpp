#include "report/instrumented_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "report/elf_code.hpp"
#include "trace/frames.hpp"

namespace heddle::report {
namespace {

using std::string_view;

enum class Code : std::uint8_t { instrumented, plain, silent, not_counted };  // silent: makes no calls

bool is_of_linker(string_view name) {
  constexpr std::array<string_view, 8> kNames = {"_start",
                                                 "_dl_relocate_static_pie",
                                                 "deregister_tm_clones",
                                                 "frame_dummy",
                                                 "register_tm_clones",
                                                 "__do_global_dtors_aux",
                                                 "_init",
                                                 "_fini"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

/// A part of a function that was split off is not a function.
bool is_part(string_view name) { return name.find(".cold") != string_view::npos; }

Code code_of(const ElfCode& file, const ElfCode::Function& function) {
  if (is_of_linker(function.name) || is_part(function.name)) return Code::not_counted;
  const std::vector<ElfCode::Call> calls = file.calls(function);
  const auto calls_one = [&](auto&& is_it) { return std::any_of(calls.begin(), calls.end(), is_it); };
  if (calls_one([](const ElfCode::Call& call) { return call.name == "__tsan_init"; })) return Code::not_counted;
  if (calls_one([](const ElfCode::Call& call) { return call.name.starts_with("__tsan_"); })) return Code::instrumented;
  return calls.empty() ? Code::silent : Code::plain;
}

/// Are the nearest functions that make calls, before and after it, instrumented?
bool is_among_instrumented(const std::vector<Code>& codes, std::size_t at) {
  const auto calls = [](Code code) { return code == Code::instrumented || code == Code::plain; };
  const auto here = codes.begin() + static_cast<std::ptrdiff_t>(at);
  const auto after = std::find_if(here, codes.end(), calls);
  const auto before = std::find_if(std::make_reverse_iterator(here), codes.rend(), calls);
  const bool is_alone = after == codes.end() && before == codes.rend();
  return !is_alone && (after == codes.end() || *after == Code::instrumented) &&
         (before == codes.rend() || *before == Code::instrumented);
}

bool is_the_users(const std::string& path) {
  const Place place{path, 0, {}};
  return is_users({&place, nullptr}) && !base_name(path).starts_with("libheddle");
}

std::string share_of(const InstrumentedCode& code) {
  const std::string name(base_name(code.module));
  if (!code.is_known) return name + " has no symbols";
  if (code.functions == 0) return name + " has no functions";
  // Never rounded up to all or down to nothing.
  const std::uint64_t percent = code.instrumented_bytes * 100 / code.bytes;
  const std::string share = code.instrumented == 0 ? "none"
                            : code.instrumented == code.functions
                                ? "all"
                                : fmt::format("{} %", std::max<std::uint64_t>(percent, 1));
  return fmt::format("{} of {} ({} of {} function{})", share, name, code.instrumented, code.functions,
                     code.functions == 1 ? "" : "s");
}

}  // namespace

InstrumentedCode instrumented_code_of(const std::string& module) {
  const ElfCode file(module);
  InstrumentedCode sum;
  sum.module = module;
  sum.is_known = file.has_symbols();
  std::vector<Code> codes;
  for (const ElfCode::Function& function : file.functions()) codes.push_back(code_of(file, function));
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (codes[i] == Code::not_counted || (codes[i] == Code::silent && is_among_instrumented(codes, i))) continue;
    const std::uint64_t size = file.functions()[i].size;
    ++sum.functions;
    sum.bytes += size;
    if (codes[i] != Code::instrumented) continue;
    ++sum.instrumented;
    sum.instrumented_bytes += size;
  }
  return sum;
}

std::vector<InstrumentedCode> instrumented_code_of(const std::vector<std::string>& modules) {
  std::vector<InstrumentedCode> all;
  for (const std::string& module : modules)
    if (is_the_users(module)) all.push_back(instrumented_code_of(module));
  return all;
}

std::string instrumented_code_text(const std::vector<InstrumentedCode>& modules) {
  std::string text;
  for (const InstrumentedCode& code : modules) text += (text.empty() ? "" : ", ") + share_of(code);
  return text;
}

}  // namespace heddle::report
