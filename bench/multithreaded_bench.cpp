// The multithreaded programs of the QL paper's tables: see published.hpp. Written from the descriptions in the paper
// and in the suites that it took them from (SV-COMP; Thomson, Donaldson and Betts, TOPC 2016).
//
// As in the paper, a task has a scheduling point before each shared access, where it takes a lock, and where it has
// given one back. There its lock is already taken when it comes to stand at the point; here it takes it after the
// point.
#include <array>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "published.hpp"

namespace {

using bench::kNotGiven;

/// A lock between two points.
class Guard {
 public:
  explicit Guard(std::mutex& lock) : lock_(lock) {
    heddle::step();
    lock_.lock();
  }
  ~Guard() {
    lock_.unlock();
    heddle::step();
  }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

 private:
  std::mutex& lock_;
};

// --- Fib-Bench, Triangular -------------------------------------------------------------------------------------------

/// Only exact alternation reaches the Fibonacci number `limit`.
void fibonacci(int rounds, int limit) {
  std::mutex lock;
  int i = 1;
  int j = 1;
  const auto add = [&](int& to, const int& other) {
    for (int k = 0; k < rounds; ++k) {
      const Guard guard(lock);
      to += other;
    }
  };
  std::thread first([&] { add(i, j); });
  std::thread second([&] { add(j, i); });
  first.join();
  second.join();
  if (i >= limit || j >= limit) heddle::fail("the Fibonacci number was reached");
}

/// Only exact alternation reaches the limit, and only if the reader comes last.
void triangular(int rounds) {
  const int limit = 2 * rounds + 6;
  std::mutex lock;
  int i = 3;
  int j = 6;
  const auto climb = [&](int& to, const int& other) {
    for (int k = 0; k < rounds; ++k) {
      const Guard guard(lock);
      to = other + 1;
    }
  };
  const auto read = [&](const int& from) {
    const Guard guard(lock);
    return from;
  };
  std::thread first([&] { climb(i, j); });
  std::thread second([&] { climb(j, i); });
  const bool i_is_high = read(i) >= limit;
  const bool j_is_high = read(j) >= limit;
  if (i_is_high || j_is_high) heddle::fail("the limit was reached");
  first.join();
  second.join();
}

// --- SafeStack -------------------------------------------------------------------------------------------------------

/// Vyukov's stack of cells, which loses a cell to two owners (ABA in pop). Shows its cells, in any order.
class SafeStack {
 public:
  static constexpr int kCells = 5;

  SafeStack() {
    for (int i = 0; i < kCells; ++i) cells_[static_cast<std::size_t>(i)].next = i + 1 < kCells ? i + 1 : kNone;
    show();
  }

  /// A cell; kNone: only one is left, which stays.
  int pop() {
    while (count_ > 1) {
      heddle::step();
      const int head = head_;
      const int next = exchange_next(head, kNone);
      if (next == kNone) continue;
      if (move_head(head, next)) {
        add_to_count(-1);
        return head;
      }
      exchange_next(head, next);
    }
    return kNone;
  }
  void push(int index) {
    heddle::step();
    int head = head_;
    do {
      heddle::step();
      cell(index).next = head;
      show();
    } while (!move_head_or_read(head, index));
    add_to_count(1);
  }
  void set_owner(int index, int owner) {
    cell(index).owner = owner;
    show();
  }
  int owner(int index) { return cell(index).owner; }

  static constexpr int kNone = -1;

 private:
  struct Cell {
    int owner = 0;
    int next = 0;
  };

  Cell& cell(int index) { return cells_[static_cast<std::size_t>(index)]; }

  int exchange_next(int index, int next) {
    const Guard guard(cells_lock_);
    const int before = cell(index).next;
    cell(index).next = next;
    show();
    return before;
  }
  bool move_head(int from, int to) { return move_head_or_read(from, to); }
  /// If the head is not `from`, `from` becomes the head.
  bool move_head_or_read(int& from, int to) {
    const Guard guard(head_lock_);
    if (head_ != from) {
      from = head_;
      return false;
    }
    head_ = to;
    show();
    return true;
  }
  void add_to_count(int difference) {
    const Guard guard(count_lock_);
    count_ += difference;
    show();
  }
  void show() {
    std::uint64_t hash = 37;
    for (const Cell& cell : cells_)
      hash *= 2 * (static_cast<std::uint64_t>(cell.owner + 2) * 397 + static_cast<std::uint64_t>(cell.next + 2)) + 1;
    heddle::observe(this, hash);
  }

  std::array<Cell, kCells> cells_;
  int head_ = 0;
  int count_ = kCells;
  std::mutex cells_lock_, head_lock_, count_lock_;
};

void safe_stack() {
  SafeStack stack;
  const auto use = [&](int id) {
    for (int round = 0; round < 2; ++round) {
      int mine = SafeStack::kNone;
      while ((mine = stack.pop()) == SafeStack::kNone) heddle::step();
      stack.set_owner(mine, id);
      heddle::step();
      if (stack.owner(mine) != id) heddle::fail("a cell has two owners");
      stack.push(mine);
    }
  };
  std::vector<std::thread> tasks;
  for (int id = 1; id <= SafeStack::kCells; ++id) tasks.emplace_back(use, id);
  for (std::thread& task : tasks) task.join();
}

// --- BoundedBuffer ---------------------------------------------------------------------------------------------------

/// One condition for "not full" and "not empty", of which only one waiter is woken. Shows how much is in it.
class Buffer {
 public:
  explicit Buffer(int capacity) : capacity_(capacity) {}
  void put() {
    std::unique_lock guard(lock_);
    changed_.wait(guard, [this] { return items_ < capacity_; });
    change(1);
  }
  void take() {
    std::unique_lock guard(lock_);
    changed_.wait(guard, [this] { return items_ > 0; });
    change(-1);
  }

 private:
  void change(int difference) {
    items_ += difference;
    heddle::observe(this, static_cast<std::uint64_t>(items_ + 1));
    changed_.notify_one();
  }

  std::mutex lock_;
  std::condition_variable changed_;
  const int capacity_;
  int items_ = 0;
};

struct Users {
  int tasks;
  int rounds;  // of each
};

void bounded_buffer(int capacity, Users readers, Users writers) {
  Buffer buffer(capacity);
  std::vector<std::thread> tasks;
  for (int i = 0; i < readers.tasks; ++i)
    tasks.emplace_back([&] {
      for (int round = 0; round < readers.rounds; ++round) buffer.take();
    });
  for (int i = 0; i < writers.tasks; ++i)
    tasks.emplace_back([&] {
      for (int round = 0; round < writers.rounds; ++round) buffer.put();
    });
  for (std::thread& task : tasks) task.join();
}

// The paper has a figure for QL^c only for SafeStack, and none for what sees inboxes or draws values. Of BoundedBuffer
// it gives nine tasks, one of which is the test itself; the numbers of places and rounds are ours. The small one is the
// smallest that can deadlock.
std::vector<bench::PublishedProgram> programs() {
  constexpr double kNo = kNotGiven;
  return {
      {"fib_bench_2", [] { fibonacci(5, 144); }, 1000, {100, kNo, 100, kNo, kNo, 100, 100, 0, 82, 100, 100}},
      {"fib_bench_longest_2", [] { fibonacci(11, 46368); }, 1000, {100, kNo, 99, kNo, kNo, 100, 100, 0, 0, 0, 100}},
      {"triangular_2", [] { triangular(5); }, 1000, {100, kNo, 85, kNo, kNo, 86, 100, 0, 0, 2, 70}},
      {"triangular_longest_2", [] { triangular(20); }, 1000, {100, kNo, 0, kNo, kNo, 0, 79, 0, 0, 0, 0}},
      {"safe_stack", safe_stack, 1000, {1, kNo, 32, kNo, 31, 43, 23, 0, 0, 21, 46}},
      {"bounded_buffer",
       [] {
         bounded_buffer(3, {4, 5}, {4, 5});
       },
       1000,
       {53, kNo, 0, kNo, kNo, 12, 36, 0, 0, 0, 0}},
      {"bounded_buffer_small",
       [] {
         bounded_buffer(1, {2, 5}, {1, 10});
       },
       1000,
       {kNo, kNo, kNo, kNo, kNo, kNo, kNo, kNo, kNo, kNo, kNo}},
  };
}

}  // namespace

int main(int argc, char** argv) { return bench::print_published("multithreaded", programs(), argc, argv); }
