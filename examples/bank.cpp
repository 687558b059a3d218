// Two transfers between two accounts. Each balance is guarded by a lock; the transfer as a whole is not.
#include <cassert>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

struct Account {
  int balance = 50;
  std::mutex lock;

  int read() {
    std::lock_guard guard(lock);
    return balance;
  }
  void write(int value) {
    std::lock_guard guard(lock);
    balance = value;
  }
};

void transfer(Account& from, Account& to, int amount) {
  from.write(from.read() - amount);
  to.write(to.read() + amount);
}

void test_transfers() {
  Account a, b;
  std::thread one(transfer, std::ref(a), std::ref(b), 10);
  std::thread two(transfer, std::ref(b), std::ref(a), 20);
  one.join();
  two.join();
  assert(a.read() + b.read() == 100);
}

int main() { return heddle::explore_main(test_transfers); }
