#include "oracle/shrink.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace heddle::oracle {
namespace {

bool names_thread(Op op) { return op >= Op::create && op <= Op::cancel; }
bool names_object(Op op) {
  return op == Op::load || op == Op::store || op == Op::add || op == Op::publish || op == Op::later ||
         (op >= Op::lock && op <= Op::futex_set);
}

/// Without a thread: those after it move up, and nothing speaks of it any more.
Program without_thread(const Program& program, std::size_t gone) {
  Program changed = program;
  changed.threads.erase(changed.threads.begin() + static_cast<long>(gone));
  for (auto& thread : changed.threads) {
    std::erase_if(thread, [&](const Instruction& one) { return names_thread(one.op) && one.a == gone; });
    for (Instruction& one : thread)
      if (names_thread(one.op) && one.a > gone) --one.a;
  }
  return changed;
}

/// With the objects the other way round, if more instructions then use the first of each kind.
Program swapped(const Program& program) {
  Program changed = program;
  for (auto& thread : changed.threads)
    for (Instruction& one : thread) {
      if (names_object(one.op)) one.a = static_cast<std::uint8_t>(kObjects - 1 - one.a);
      if (one.op == Op::wait || one.op == Op::timed_wait) one.b = static_cast<std::uint8_t>(kObjects - 1 - one.b);
    }
  std::swap(changed.mutexes[0], changed.mutexes[1]);
  std::swap(changed.semaphores[0], changed.semaphores[1]);
  std::swap(changed.barriers[0], changed.barriers[1]);
  return changed;
}

std::size_t second_objects(const Program& program) {
  std::size_t count = 0;
  for (const auto& thread : program.threads)
    for (const Instruction& one : thread) count += names_object(one.op) && one.a > 0;
  return count;
}

/// Every program that is simpler by one thing.
std::vector<Program> simpler(const Program& program) {
  std::vector<Program> all;
  for (std::size_t i = program.threads.size(); i-- > 1;) all.push_back(without_thread(program, i));
  for (std::size_t i = 0; i < program.threads.size(); ++i)
    for (std::size_t at = 0; at < program.threads[i].size(); ++at) {
      all.push_back(program);
      all.back().threads[i].erase(all.back().threads[i].begin() + static_cast<long>(at));
    }
  const Program plain;
  for (std::size_t i = 0; i < kObjects; ++i) {
    Program changed = program;
    changed.mutexes[i] = plain.mutexes[i];
    if (changed.mutexes != program.mutexes) all.push_back(changed);
    changed = program;
    changed.semaphores[i] = plain.semaphores[i];
    if (changed.semaphores != program.semaphores) all.push_back(changed);
    changed = program;
    changed.barriers[i] = plain.barriers[i];
    if (changed.barriers != program.barriers) all.push_back(changed);
  }
  if (const Program other = swapped(program); second_objects(other) < second_objects(program)) all.push_back(other);
  return all;
}

}  // namespace

Program shrink(Program program, const std::function<bool(const Program&)>& holds) {
  for (bool found = true; found;) {
    found = false;
    for (const Program& candidate : simpler(program)) {
      if (!holds(candidate)) continue;
      program = candidate;
      found = true;
      break;
    }
  }
  return program;
}

}  // namespace heddle::oracle
