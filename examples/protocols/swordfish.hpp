// Swordfish: cash machines of one bank.
//
// A cash machine asks the bank whether the account has enough, and if so tells it to take the amount away and pays out.
//
// Set-up: a bank with one account of 100, two cash machines with two withdrawals of 40 each. A benchmark of the P#
// paper (Deligiannis et al., PLDI 2015), which took it from SOTER; neither describes it, so this is its common form:
// accounts that are used from several places.
//
// Promise: the account is never overdrawn.
// Bug: between the answer of the bank and the withdrawal another cash machine can be answered too. Correctly the bank
// sets the amount aside when it says yes.
#pragma once

#include "heddle/actor.hpp"

namespace swordfish {

using heddle::MachineId;

enum class Version { correct, sets_nothing_aside };

inline constexpr int kAmount = 40;

struct MayI {
  MachineId cash_machine;
};
struct Answer {
  bool yes;
};
struct Withdraw {};

struct Balance {
  int amount;
};

class NeverOverdrawn : public heddle::Monitor {
 public:
  struct Watching;
  static void declare(heddle::MonitorDeclaration<NeverOverdrawn>& is) {
    is.state<Watching>().start().on<Balance>(&NeverOverdrawn::check);
  }

 private:
  void check(const Balance& balance) { require(balance.amount >= 0, "the account is overdrawn"); }
};

class CashMachine : public heddle::Machine {
 public:
  explicit CashMachine(MachineId bank) : bank_(bank) {}
  struct Asking;
  struct Finished;
  static void declare(heddle::Declaration<CashMachine>& is) {
    is.state<Asking>().start().on_entry(&CashMachine::ask).on<Answer>(&CashMachine::pay);
    is.state<Finished>();
  }

 private:
  void ask() { send(bank_, MayI{self()}); }
  void pay(const Answer& answer) {
    if (answer.yes) send(bank_, Withdraw{});
    if (--withdrawals_left_ > 0)
      go_to<Asking>();
    else
      go_to<Finished>();
  }
  MachineId bank_;
  int withdrawals_left_ = 2;
};

class Bank : public heddle::Machine {
 public:
  explicit Bank(Version version) : version_(version) {}
  struct Open;
  static void declare(heddle::Declaration<Bank>& is) {
    is.state<Open>().start().on_entry(&Bank::set_up).on<MayI>(&Bank::answer).on<Withdraw>(&Bank::withdraw);
  }

 private:
  void set_up() {
    for (int i = 0; i < 2; ++i) create<CashMachine>(self());
  }
  void answer(const MayI& question) {
    const bool yes = balance_ - set_aside_ >= kAmount;
    if (yes && version_ == Version::correct) set_aside_ += kAmount;
    send(question.cash_machine, Answer{yes});
  }
  void withdraw() {
    balance_ -= kAmount;
    if (version_ == Version::correct) set_aside_ -= kAmount;
    tell<NeverOverdrawn>(Balance{balance_});
  }

  Version version_;
  int balance_ = 100;
  int set_aside_ = 0;
};

inline void run(Version version) {
  heddle::Runtime runtime;
  runtime.add_monitor<NeverOverdrawn>();
  runtime.create<Bank>(version);
}

}  // namespace swordfish
