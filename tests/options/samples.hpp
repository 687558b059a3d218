// For tests that walk the table of options: a value that is not the usual one, and one that is wrong, for any option.
#pragma once

#include <map>
#include <string>

#include "options/table.hpp"

namespace heddle::testing {

struct Sample {
  std::string value;
  std::string wrong;
  std::string allowed;  // what the message about the wrong one says
};

/// By what follows the option on the command line. A test fails on a row with an argument that is not here.
inline Sample sample_of(const options::Option& option) {
  static const std::map<std::string, Sample, std::less<>> kSamples = {
      {"N", {"3000", "seven", "a whole number"}},
      {"SECONDS", {"2.5", "-1", "a number of seconds from 0 to 1000000000"}},
      {"STRATEGY", {"random", std::string(3000, 'x'), "longer than 2047 characters"}},
      {"CODES", {"0,3", "0,256", "exit codes from 0 to 255"}},
      {"REGEX", {"a b", std::string(3000, 'x'), "longer than 2047 characters"}},
      {"COMMAND", {"true 'or so'", std::string(3000, 'x'), "longer than 2047 characters"}},
      {"NAMES", {"relock,join-twice", "relock,tea", "there are unlock-not-owner, "}},
      {"FILE", {"some.file", std::string(3000, 'x'), "longer than 2047 characters"}},
      {"FOLDER", {"folder", std::string(3000, 'x'), "longer than 2047 characters"}},
  };
  const std::string argument(option.argument);
  if (const std::size_t bar = argument.rfind('|'); bar != std::string::npos)  // one of several words
    return {argument.substr(bar + 1), "frob", argument.substr(bar + 1)};
  if (!argument.empty()) return kSamples.at(argument);
  if (!option.flag.empty()) return {std::string(option.flag), "perhaps", std::string(option.flag)};
  const bool is_yes = option.field.text(options::Values{}) == "yes";  // it is not on the command line
  return option.header == "executor" ? Sample{"baton", "thread", "carrier or baton"}
                                     : Sample{is_yes ? "no" : "yes", "perhaps", "no or yes"};
}

}  // namespace heddle::testing
