// `heddle cc` and `heddle c++`: the installed compiler, with the options that let heddle see memory accesses.
//
// Sources are compiled with -fsanitize=thread, so that they call TSan's functions at each access. Linking is done
// without it, because it would bring in TSan's runtime; libheddle_memory.so is linked instead. So a command that
// compiles and links at once becomes several: one for each source, into a temporary object, and one that links.
//
// All other words are passed on unchanged and in order, and a command without an input is passed on as it is. The exit
// code is the compiler's.
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/command.hpp"
#include "cli/target.hpp"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

// --- what the compilers' options mean ------------------------------------------------------------------------------

/// `list`: words, each followed by a blank.
template <typename Predicate>
bool any_word(std::string_view list, Predicate predicate) {
  for (std::size_t end; (end = list.find(' ')) != std::string_view::npos; list.remove_prefix(end + 1))
    if (predicate(list.substr(0, end))) return true;
  return false;
}

bool is_one_of(std::string_view word, std::string_view list) {
  return any_word(list, [word](std::string_view each) { return word == each; });
}

bool begins_with_one_of(std::string_view word, std::string_view list) {
  return any_word(list, [word](std::string_view each) { return word.starts_with(each); });
}

/// Options whose argument is the next word.
bool takes_a_word(std::string_view option) {
  return is_one_of(option,
                   "-o -x -I -D -U -L -l -T -u -z -e -h -A -B -G -F -R -MF -MT -MQ -MJ --output --param --sysroot "
                   "-Xlinker -Xassembler -Xpreprocessor -Xclang -Xanalyzer -mllvm -rpath -Tbss -Tdata -Ttext "
                   "-include -include-pch -imacros -isystem -iquote -idirafter -iprefix -iwithprefix "
                   "-iwithprefixbefore -isysroot -imultilib -ivfsoverlay -aux-info -dumpbase -dumpbase-ext -dumpdir "
                   "-wrapper -specs -arch -target -gcc-toolchain -framework -working-directory "
                   "--serialize-diagnostics ");
}

/// With one of these options, nothing is linked.
bool forbids_linking(std::string_view option) {
  return is_one_of(option,
                   "-c -S -E -M -MM -fsyntax-only -emit-pch -emit-ast "
                   "--compile --assemble --preprocess --precompile --analyze ");
}

/// The compiler only prints information about itself, or about what it would do.
bool asks(std::string_view option) {
  return begins_with_one_of(option,
                            "-### --help --version -dumpmachine -dumpversion -dumpfullversion -dumpspecs "
                            "-print- --print- ");
}

/// Options that are of no use when not linking; Clang warns about each.
bool is_for_linking_only(std::string_view option) {
  return begins_with_one_of(option, "-l -L -T -Wl, -fuse-ld= -static -shared ") ||
         is_one_of(option,
                   "-u -z -e -h -s -r -R -rpath -Xlinker -symbolic -rdynamic -pie -no-pie -nopie "
                   "-nostartfiles -nodefaultlibs -nostdlib -nostdlib++ -nolibc ");
}

bool names_output(std::string_view option) {
  return option == "--output" || (option.starts_with("-o") && !option.starts_with("-objc"));
}

bool is_source_suffix(std::string_view suffix) {
  return is_one_of(suffix, ".c .C .cc .cp .cpp .CPP .cxx .c++ .i .ii .s .S .sx .m .M .mi .mm .mii .cppm .ixx ");
}

bool is_header_suffix(std::string_view suffix) { return is_one_of(suffix, ".h .H .hh .hp .hpp .HPP .hxx .h++ .tcc "); }

// --- reading the command line --------------------------------------------------------------------------------------

enum class Kind {
  option,
  source,
  header,      // compiled, never linked
  link_input,  // an object, an archive, a library
};

struct Argument {
  Kind kind = Kind::option;
  Words words;           // the option and its argument, or the input
  std::string language;  // of a source, if given by -x
};

Kind kind_of_input(const std::string& path, const std::string& language) {
  if (!language.empty()) return language.ends_with("-header") ? Kind::header : Kind::source;
  const std::string suffix = fs::path(path).extension().string();
  if (is_source_suffix(suffix)) return Kind::source;
  return is_header_suffix(suffix) ? Kind::header : Kind::link_input;
}

/// The words of a response file: separated by blanks, with quotes and backslashes as in a shell.
Words words_of(std::istream& file) {
  Words words;
  std::optional<std::string> word;
  char quote = '\0';
  for (char c; file.get(c);) {
    if (c == '\\' && file.get(c)) {
      word = word.value_or("") + c;
    } else if (quote != '\0' ? c == quote : c == '\'' || c == '"') {
      quote = quote == '\0' ? c : '\0';
      word = word.value_or("");
    } else if (quote == '\0' && std::isspace(static_cast<unsigned char>(c)) != 0) {
      if (word) words.push_back(*std::exchange(word, std::nullopt));
    } else {
      word = word.value_or("") + c;
    }
  }
  if (word) words.push_back(*word);
  return words;
}

/// Replaces @file by the words of that response file; if it cannot be read, @file stays for the compiler to report.
void append_expanded(const std::string& word, Words& words, int depth = 0) {
  constexpr int kDepthMax = 20;  // stops a file that names itself
  std::ifstream file;
  if (word.starts_with("@") && depth < kDepthMax) file.open(word.substr(1));
  if (!file.is_open() || !file) {
    words.push_back(word);
    return;
  }
  for (const std::string& inner : words_of(file)) append_expanded(inner, words, depth + 1);
}

struct CommandLine {
  Words words;  // as given, with response files expanded
  std::vector<Argument> arguments;
  std::string output;  // empty: left to the compiler

  bool has(Kind kind) const {
    return std::any_of(arguments.begin(), arguments.end(), [kind](const auto& each) { return each.kind == kind; });
  }
  template <typename Predicate>
  bool has_option_that(Predicate predicate) const {
    return std::any_of(arguments.begin(), arguments.end(), [&predicate](const Argument& each) {
      return each.kind == Kind::option && predicate(std::string_view(each.words.front()));
    });
  }
  bool has_option(std::string_view option) const {
    return has_option_that([option](std::string_view each) { return each == option; });
  }
};

CommandLine read_command_line(Words words) {
  CommandLine line;
  std::string language;
  for (std::size_t i = 0; i < words.size(); ++i) {
    Argument argument{Kind::option, {words[i]}, {}};
    const std::string& word = words[i];
    if (word.size() < 2 || word[0] != '-') {  // a single - is the standard input
      argument.kind = kind_of_input(word, language);
      argument.language = language;
    } else {
      if (takes_a_word(word) && i + 1 < words.size()) argument.words.push_back(words[++i]);
      const std::string joined = argument.words.size() == 2 ? argument.words[1] : word.substr(2);
      if (word.starts_with("-x")) language = joined == "none" ? "" : joined;
      if (names_output(word)) line.output = joined;
      if (word.starts_with("-l")) argument.kind = Kind::link_input;
    }
    line.arguments.push_back(std::move(argument));
  }
  line.words = std::move(words);
  return line;
}

// --- running the compiler ------------------------------------------------------------------------------------------

/// $HEDDLE_CC or $HEDDLE_CXX, which may be several words (`ccache g++`) unless it is the path of a program.
Words compiler_for(bool cxx) {
  const char* const chosen = ::secure_getenv(cxx ? "HEDDLE_CXX" : "HEDDLE_CC");
  const std::string command = chosen != nullptr ? chosen : "";
  if (access(command.c_str(), X_OK) == 0) return {command};
  std::istringstream blanks(command);
  Words words{std::istream_iterator<std::string>(blanks), {}};
  if (words.empty()) words = {cxx ? "c++" : "cc"};
  return words;
}

/// Judged by its name, or by the name that it links to.
bool is_gcc(const Words& compiler) {
  std::error_code ignored;
  std::string names;
  for (const std::string& word : compiler) {
    const fs::path path = find_target(word).path;
    names += path.filename().string() + " " + fs::canonical(path, ignored).filename().string() + " ";
  }
  const auto has = [&names](const char* part) { return names.find(part) != std::string::npos; };
  return !has("clang") && (has("gcc") || has("g++"));
}

int cannot_run(const std::string& program, int error) {
  return fail(fmt::format("cannot run the compiler {}: {} (HEDDLE_CC and HEDDLE_CXX name others)", program,
                          std::strerror(error)));
}

std::vector<char*> pointers_to(const Words& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// Replaces this process.
int become(const Words& command) {
  execvp(command[0].c_str(), pointers_to(command).data());
  return cannot_run(command[0], errno);
}

/// Waits for the command to end; returns its exit code. Only the command reacts to Ctrl-C, because there are files to
/// remove after it.
int run_and_wait(const Words& command) {
  sigset_t interrupts;
  sigemptyset(&interrupts);
  sigaddset(&interrupts, SIGINT);
  sigaddset(&interrupts, SIGQUIT);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setsigdefault(&attributes, &interrupts);
  signal(SIGINT, SIG_IGN);
  signal(SIGQUIT, SIG_IGN);
  pid_t process = 0;
  const int error =
      posix_spawnp(&process, command[0].c_str(), nullptr, &attributes, pointers_to(command).data(), environ);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) return cannot_run(command[0], error);
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);  // as in a shell
}

/// Removes itself and its contents at the end.
class ObjectFolder {
 public:
  ObjectFolder() {
    std::string pattern = (fs::temp_directory_path(error_) / "heddle-cc-XXXXXX").string();
    if (!error_ && mkdtemp(pattern.data()) == nullptr) error_.assign(errno, std::generic_category());
    path_ = pattern;
  }
  ~ObjectFolder() {
    std::error_code ignored;
    if (!error_) fs::remove_all(path_, ignored);
  }
  ObjectFolder(const ObjectFolder&) = delete;
  ObjectFolder& operator=(const ObjectFolder&) = delete;

  const std::error_code& error() const { return error_; }
  std::string object(std::size_t index) const { return path_ / (std::to_string(index) + ".o"); }

 private:
  fs::path path_;
  std::error_code error_;  // set if there is no folder
};

// --- the commands to run --------------------------------------------------------------------------------------------

void append(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

/// Heddle's options come first, so that the user's own override them. Only -flto must not: GCC would then instrument at
/// link time, where it is not asked to.
Words compile_command(const Words& compiler, const CommandLine& line, const Words& words) {
  Words command = compiler;
  append(command, {"-fsanitize=thread", "-g"});
  if (is_gcc(compiler)) command.push_back("-Wno-tsan");  // it warns that it does not support fences; heddle does
  append(command, words);
  if (line.has_option_that([](auto option) { return option.starts_with("-flto"); })) command.push_back("-fno-lto");
  return command;
}

/// The list after -fsanitize= without `thread`; empty if nothing remains.
std::string without_thread(const std::string& option) {
  constexpr std::string_view kOption = "-fsanitize=";
  if (!option.starts_with(kOption)) return option;
  std::istringstream list(option.substr(kOption.size()));
  std::string rest;
  for (std::string item; std::getline(list, item, ',');)
    if (item != "thread") rest += (rest.empty() ? "" : ",") + item;
  return rest.empty() ? "" : std::string(kOption) + rest;
}

/// `objects` replace the sources.
Words link_command(const Words& compiler, const CommandLine& line, const std::string& library, const Words& objects) {
  Words command = compiler;
  auto object = objects.begin();
  for (const Argument& argument : line.arguments) {
    const std::string& word = argument.words.front();
    if (argument.kind == Kind::source) {
      command.push_back(*object++);
    } else if (argument.kind == Kind::option && word.starts_with("-x")) {
      continue;  // language of the sources
    } else if (const std::string kept = without_thread(word); !kept.empty()) {
      command.push_back(kept);
      command.insert(command.end(), argument.words.begin() + 1, argument.words.end());
    }
  }
  if (!objects.empty()) command.push_back("-Wno-unused-command-line-argument");  // meant for compiling
  const bool partial = line.has_option("-r") || line.has_option("-Wl,-r");
  const std::string folder = fs::path(library).parent_path();
  if (!partial) append(command, {"-L" + folder, "-Wl,-rpath," + folder, "-lheddle_memory"});
  return command;
}

/// Where the compiler would have written the source's dependencies if it had also linked.
Words dependency_words(const CommandLine& line, const std::string& source) {
  if (!line.has_option("-MD") && !line.has_option("-MMD")) return {};
  Words words;
  const std::string result = line.output.empty() ? fs::path(source).stem().string() : line.output;
  if (!line.has_option("-MF")) append(words, {"-MF", fs::path(result).replace_extension(".d").string()});
  if (!line.has_option("-MT") && !line.has_option("-MQ")) append(words, {"-MQ", result});
  return words;
}

Words source_words(const CommandLine& line, const Argument& source, const std::string& object) {
  Words words;
  for (const Argument& argument : line.arguments) {
    const std::string& word = argument.words.front();
    const bool is_split_debug = word.starts_with("-gsplit-dwarf");  // would be lost with the object
    if (argument.kind == Kind::option && !is_for_linking_only(word) && !names_output(word) && !is_split_debug &&
        !word.starts_with("-x"))
      append(words, argument.words);
  }
  append(words, dependency_words(line, source.words.front()));
  if (!source.language.empty()) append(words, {"-x", source.language});
  append(words, {"-c", source.words.front(), "-o", object});
  return words;
}

int compile_and_link(const Words& compiler, const CommandLine& line, const std::string& library) {
  const ObjectFolder folder;
  if (folder.error()) return fail("no temporary directory for objects (TMPDIR): " + folder.error().message());
  Words objects;
  int failed = 0;  // code of the first failure; the others are still compiled, as compilers do
  for (const Argument& argument : line.arguments) {
    if (argument.kind != Kind::source) continue;
    objects.push_back(folder.object(objects.size()));
    const int code = run_and_wait(compile_command(compiler, line, source_words(line, argument, objects.back())));
    if (failed == 0) failed = code;
    if (code > 128) break;  // Ctrl-C
  }
  return failed != 0 ? failed : run_and_wait(link_command(compiler, line, library, objects));
}

int compile_words(bool cxx, const Words& given) {
  const Words compiler = compiler_for(cxx);
  Words words;
  for (const std::string& word : given) append_expanded(word, words);
  const CommandLine line = read_command_line(std::move(words));
  const bool has_source = line.has(Kind::source);
  if (line.has_option_that(asks) || (!has_source && !line.has(Kind::header) && !line.has(Kind::link_input))) {
    Words command = compiler;
    append(command, given);
    return become(command);
  }
  if (line.has_option_that(forbids_linking) || line.has(Kind::header))
    return become(compile_command(compiler, line, line.words));
  if (line.has_option("-static") || line.has_option("-static-pie"))
    return fail("-static: heddle can only be loaded into programs that are linked dynamically; link without it");
  const std::string library = own_library("libheddle_memory.so");
  if (library.empty())
    return fail("libheddle_memory.so is not where this program looks for it, beside itself and in ../lib");
  if (has_source) return compile_and_link(compiler, line, library);
  return become(link_command(compiler, line, library, {}));
}

bool is_compiler_name(std::string_view name) { return name == "cc" || name == "c++"; }

/// For `heddle-c++`, a link to this program: the part after the dash.
std::string name_after_dash(const char* called) {
  const std::string name = fs::path(called).filename();
  constexpr std::string_view kBeginning = "heddle-";
  return name.starts_with(kBeginning) ? name.substr(kBeginning.size()) : "";
}

}  // namespace

void add_compile(CLI::App& app) {
  app.add_subcommand("cc", "compile C so that heddle sees accesses to memory");
  app.add_subcommand("c++", "compile C++ so that heddle sees accesses to memory");
}

bool is_compile(int count, char** words) {
  return count > 0 && (is_compiler_name(name_after_dash(words[0])) || (count > 1 && is_compiler_name(words[1])));
}

int compile(int count, char** words) {
  const std::string called = name_after_dash(words[0]);
  if (is_compiler_name(called)) return compile_words(called == "c++", {words + 1, words + count});
  return compile_words(std::string_view(words[1]) == "c++", {words + 2, words + count});
}

}  // namespace heddle::cli
