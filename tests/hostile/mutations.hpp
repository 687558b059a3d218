// Changes to the text of a trace, from a seed: some blind, some that know what a trace looks like.
#pragma once

#include <string>
#include <vector>

#include "base/random.hpp"

namespace heddle::testing {

class Mutations {
 public:
  /// `donors`: traces whose parts are put into others. `canary`: a file that no command may make.
  Mutations(std::uint64_t seed, const std::vector<std::string>& donors, const std::string& canary)
      : random_(seed), donors_(donors), canary_(canary) {}

  std::string mutated(std::string text) {
    for (std::uint32_t left = 1 + random_.below(4); left > 0; --left) mutate(text);
    return text;
  }

 private:
  std::uint32_t below(std::size_t bound) { return random_.below(static_cast<std::uint32_t>(bound)); }

  void mutate(std::string& text) {
    if (text.empty()) return;
    switch (below(12)) {
      case 0:
        text[below(text.size())] ^= static_cast<char>(1u << below(8));
        break;
      case 1:
        text.insert(below(text.size()), piece());
        break;
      case 2:
        text.resize(below(text.size()));
        break;
      case 3:
      case 4:
      case 5:
        number(text);
        break;
      case 6:
      case 7:
        header_line(text);
        break;
      default:
        lines(text);
    }
  }

  std::string piece() {
    static const std::vector<std::string> all = {"\x1b[2J",
                                                 std::string(1, '\0'),
                                                 "\xc2\x9b",
                                                 "\u202e",
                                                 "\xff\xfe",
                                                 "\n",
                                                 " ",
                                                 "{0,1,2}",
                                                 "{",
                                                 "}",
                                                 "T0",
                                                 "T4294967295",
                                                 "m1",
                                                 "=0/1",
                                                 "@1",
                                                 " as ",
                                                 "\\x",
                                                 "\\x00",
                                                 "</text>",
                                                 "-",
                                                 std::string(100'000, 'x')};
    return all[below(all.size())];
  }

  /// Replaces one number of the text.
  void number(std::string& text) {
    static const std::vector<std::string> all = {"0",
                                                 "1",
                                                 "-1",
                                                 "255",
                                                 "256",
                                                 "300000",
                                                 "2147483647",
                                                 "2147483648",
                                                 "4294967294",
                                                 "4294967295",
                                                 "4294967296",
                                                 "18446744073709551615",
                                                 "18446744073709551616",
                                                 "1e9",
                                                 "nan",
                                                 "0x10",
                                                 "",
                                                 "99999999999999999999"};
    const std::size_t from = text.find_first_of("0123456789", below(text.size()));
    if (from == std::string::npos) return;
    const std::size_t end = std::min(text.find_first_not_of("0123456789", from), text.size());
    text.replace(from, end - from, all[below(all.size())]);
  }

  /// Adds a line to the header, or one of another section where it does not belong.
  void header_line(std::string& text) {
    const std::vector<std::string> all = {"program /bin/sh",
                                          "argument -c",
                                          "argument touch " + canary_,
                                          "directory /tmp",
                                          "build-id ",
                                          "build-id 0",
                                          "option way=run",
                                          "option oracle=touch " + canary_,
                                          "option exits=-1",
                                          "option exits=300000",
                                          "option exits=,",
                                          "option steps_max=abc",
                                          "option steps_max=18446744073709551615",
                                          "option steps_max=0",
                                          "option within_steps=-1",
                                          "option fail_on_output=((((a{1000}){1000}",
                                          "option points=auto",
                                          "option races=x",
                                          "option promoted=/bin/sh+0xffff",
                                          "option ignored_races=a/b c/d /",
                                          "option steps=choices",
                                          "option executor=baton",
                                          "option allow=relock,",
                                          "option time=patient",
                                          "option =",
                                          "option",
                                          "strategy pct:depth=-1",
                                          "strategy " + std::string(5'000, 's'),
                                          "exploration run",
                                          "seed -1",
                                          "execution 1",
                                          "verdict deadlock -",
                                          "verdict lost-wakeup - x",
                                          "verdict race T0 x",
                                          "verdict exited T0 the program ended with exit code 99",
                                          "verdict passed T9",
                                          "mention m1 0 65535",
                                          "mention m1 499 1",
                                          "access T0 write 4 {0}",
                                          "access T0 read 4294967295 {} holding m1@0",
                                          "access - freed 1 {0}",
                                          "operations",
                                          "  T0 before join T0 as x",
                                          "  T0 ended as y",
                                          "  m9 mutex held outside",
                                          "  m9 mutex held by T0",
                                          "steps",
                                          "  1 ! T0 lock m1 {0}",
                                          "notes",
                                          "  0 T0 sent - x",
                                          "  0 T0 created - x",
                                          "  0 T0 sent T0 x",
                                          "places",
                                          "  0 x+0xffffffffffffffff",
                                          "      /etc/passwd:1 main",
                                          "      x.cpp:2147483647 f",
                                          "end 0",
                                          "seal 00"};
    const std::size_t line = text.find('\n', below(text.size()));
    if (line != std::string::npos) text.insert(line + 1, all[below(all.size())] + "\n");
  }

  static std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> all;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
      all.push_back(text.substr(at, end - at));
      at = end;
    }
    return all;
  }

  /// Moves, repeats, removes and takes over whole lines.
  void lines(std::string& text) {
    std::vector<std::string> all = split(text);
    const std::size_t at = below(all.size());
    const std::vector<std::string> other = split(donors_[below(donors_.size())]);
    switch (below(6)) {
      case 0:
        std::swap(all[at], all[below(all.size())]);
        break;
      case 1:
        all.erase(all.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      case 2:
        all.insert(all.begin() + static_cast<std::ptrdiff_t>(at), 1 + below(3), all[at]);
        break;
      case 3:
        all.insert(all.begin() + static_cast<std::ptrdiff_t>(at), below(20) == 0 ? 2'000 : 1, all[at]);
        break;
      case 4:
        all[at] = other[below(other.size())];
        break;
      default:
        all.resize(at);
        all.insert(all.end(), other.begin() + below(other.size()), other.end());
    }
    text.clear();
    for (const std::string& line : all) text += line;
  }

  Random random_;
  const std::vector<std::string>& donors_;
  std::string canary_;
};

}  // namespace heddle::testing
