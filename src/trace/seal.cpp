#include "trace/seal.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "base/new_file.hpp"
#include "base/sha256.hpp"

namespace heddle {
namespace {

using Key = std::array<char, 32>;

/// Only this user may be able to read it or to put something else in its place.
bool is_private(const struct stat& status) {
  return status.st_uid == ::geteuid() && (status.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

std::string read_key(const std::string& path) {
  Key key{};
  struct stat status {};
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return {};
  const bool is_good = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && is_private(status) &&
                       ::read(descriptor, key.data(), key.size()) == static_cast<ssize_t>(key.size());
  ::close(descriptor);
  return is_good ? std::string(key.begin(), key.end()) : std::string();
}

bool is_private_folder(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && is_private(status);
}

/// Makes the folders on the way to it, and itself for this user alone.
bool make_folder(const std::string& path) {
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1))
    ::mkdir(path.substr(0, slash).c_str(), 0700);
  ::mkdir(path.c_str(), 0700);
  return is_private_folder(path);  // another process may have made it
}

/// Another process may make it at the same time: the first one's counts.
void make_key(const std::string& path) {
  Key key{};
  if (::getrandom(key.data(), key.size(), 0) != static_cast<ssize_t>(key.size())) return;
  const mode_t usual = ::umask(0177);
  write_new_file(path, {key.data(), key.size()}, IfThere::fail);
  ::umask(usual);
}

/// Where the key can be. In a process that runs with more rights than its caller, the caller has no say.
std::vector<std::string> folders() {
  std::vector<std::string> all;
  const char* const state = ::secure_getenv("XDG_STATE_HOME");
  const char* const home = ::secure_getenv("HOME");
  if (state != nullptr && state[0] == '/') all.push_back(std::string(state) + "/heddle");
  if (home != nullptr && home[0] == '/' && home[1] != '\0') all.push_back(std::string(home) + "/.local/state/heddle");
  all.push_back("/tmp/heddle-" + std::to_string(::geteuid()));
  return all;
}

/// The key of the first folder that can have one; made if it is not there.
std::string own_key() {
  for (const std::string& folder : folders()) {
    if (!is_private_folder(folder) && !make_folder(folder)) continue;
    const std::string path = folder + "/key";
    if (std::string key = read_key(path); !key.empty()) return key;
    make_key(path);
    if (std::string key = read_key(path); !key.empty()) return key;
  }
  return {};
}

/// The same time whatever differs.
bool are_equal(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned char difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned char>(a[i] ^ b[i]);
  return difference == 0;
}

}  // namespace

std::string digest_of(std::string_view text) { return in_hex(sha256(text)); }

std::string seal_of(std::string_view text) {
  const std::string key = own_key();
  return key.empty() ? std::string() : in_hex(hmac_sha256(key, digest_of(text)));
}

bool is_own_seal(std::string_view digest, std::string_view seal) {
  if (seal.empty()) return false;
  const std::vector<std::string> all = folders();
  return std::any_of(all.begin(), all.end(), [&](const std::string& folder) {
    const std::string key = is_private_folder(folder) ? read_key(folder + "/key") : std::string();
    return !key.empty() && are_equal(in_hex(hmac_sha256(key, digest)), seal);
  });
}

}  // namespace heddle
