#include "runtime/io/descriptors.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "runtime/front.hpp"
#include "runtime/io/kernel.hpp"
#include "runtime/io/objects.hpp"

namespace heddle::runtime::io {
namespace {

constexpr int kStandardLast = 2;

bool is_terminal(int number) {
  constexpr long kGetTerminalSettings = 0x5401;  // TCGETS; its header clashes with others
  char settings[256];
  return kernel(SYS_ioctl, number, kGetTerminalSettings, settings) == 0;
}

Nature ask_kernel(int number) {
  struct stat about {};
  if (kernel(SYS_fstat, number, &about) != 0) return Nature::unknown;
  switch (about.st_mode & S_IFMT) {
    case S_IFREG:
    case S_IFDIR:
    case S_IFBLK:
      return Nature::plain;
    case S_IFIFO:
      return Nature::pipe;
    case S_IFSOCK:
      return Nature::socket;
    case S_IFCHR:
      return is_terminal(number) ? Nature::other : Nature::plain;
    default:
      return Nature::other;
  }
}

constexpr Descriptor kNothing{.nature = Nature::plain};  // the kernel will refuse it

/// Which number is free next depends on what was opened and closed before.
void touch_numbers() {
  front.scheduler().touch_part(model::Footprint::of(nullptr, model::ResourceKind::descriptor, model::Does::writes));
}

}  // namespace

Descriptors descriptors;

Descriptor& Descriptors::at(int number) {
  const auto index = static_cast<std::size_t>(number);
  if (index >= table_.size()) table_.resize(index + 1);
  Descriptor& entry = table_[index];
  if (entry.execution != execution_) {
    entry = {};
    entry.execution = execution_;
    entry.standard = number <= kStandardLast;
    if (entry.standard) entry.object = model::Descriptor::kStandard;
  }
  return entry;
}

const Descriptor& Descriptors::of(int number) {
  if (!is_possible(number)) return kNothing;
  Descriptor& entry = at(number);
  if (entry.nature == Nature::unknown) {
    entry.nature = ask_kernel(number);
    if (entry.nature == Nature::unknown) return kNothing;
  }
  return entry;
}

void Descriptors::made(int number, Nature nature, bool inside, std::uint32_t timer) {
  if (!is_possible(number)) return;
  touch_numbers();
  at(number) = {
      .execution = execution_,
      .nature = nature,
      .inside = inside,
      .made_here = true,
      .timer = timer,
      .object = objects.add(),
  };
}

void Descriptors::made_of(int number, Nature nature, bool inside, std::uint32_t object) {
  if (!is_possible(number)) return;
  touch_numbers();
  at(number) = {.execution = execution_, .nature = nature, .inside = inside, .made_here = true, .object = object};
}

// A lock belongs to the file, or to one opening of it. Standard descriptors share an object that is not a file.
void Descriptors::locked(int number) {
  if (!is_possible(number)) return;
  Descriptor& entry = at(number);
  entry.locked = true;
  if (entry.object != model::Descriptor::kAny) {
    if (entry.standard) entry.object = model::Descriptor::kAny;
    return;
  }
  struct stat about {};
  if (kernel(SYS_fstat, number, &about) == 0 && S_ISREG(about.st_mode) && !entry.standard)
    entry.object = objects.of_file(about.st_dev, about.st_ino);
}

void Descriptors::copied(int from, int to) {
  if (!is_possible(from) || !is_possible(to) || from == to) return;
  Descriptor copy = of(from);
  copy.execution = execution_;
  copy.made_here = true;
  touch_numbers();
  at(to) = copy;
}

void Descriptors::closed(int number) {
  if (!is_possible(number)) return;
  touch_numbers();
  at(number) = {};
  table_[static_cast<std::size_t>(number)].execution = execution_;  // it is not a standard descriptor any more either
}

int Descriptors::other_of_timer(std::uint32_t timer, int than) const {
  for (int number = 0; number < end(); ++number) {
    const Descriptor& entry = table_[static_cast<std::size_t>(number)];
    if (entry.execution == execution_ && entry.timer == timer && number != than) return number;
  }
  return -1;
}

void Descriptors::close_leftovers() {
  for (std::size_t i = 0; i < table_.size(); ++i) {
    Descriptor& entry = table_[i];
    if (entry.execution != execution_ || !entry.made_here) continue;
    entry.made_here = false;
    const Nature now = ask_kernel(static_cast<int>(i));  // libc may have closed it and opened another
    if (now == entry.nature) kernel(SYS_close, static_cast<int>(i));
  }
}

}  // namespace heddle::runtime::io
