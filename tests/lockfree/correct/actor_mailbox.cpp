// The mailbox of a machine (src/actor/production): who wakes it runs it, and nobody else does. The machine's own state
// is plain, so two that run it at once are a race; the events of each sender come in order until it closes.
// expect: nothing
#include "actor/production/mailbox.hpp"

#include <cassert>
#include <thread>

using heddle::actor::Boxed;
using heddle::actor::EventBox;
using heddle::actor::Mailbox;

constexpr int kSenders = 2;
constexpr int kEach = 2;
constexpr int kCloseAfter = 3;  // events that it handles

struct Number {
  int sender;
  int value;
};

Mailbox mailbox;
int last[kSenders];
int handled = 0;
int dropped[kSenders];
Boxed<Number>* boxes[kSenders][kEach];

void handle(EventBox* box) {
  for (; box != nullptr; box = box->next.load(std::memory_order_relaxed)) {
    const Number& number = static_cast<Boxed<Number>*>(box)->event;
    assert(number.value == ++last[number.sender]);
    ++handled;
  }
}

void run() {
  for (;;) {
    handle(mailbox.take());
    if (handled >= kCloseAfter) return handle(mailbox.close());
    if (mailbox.rest()) return;
  }
}

void send(int sender) {
  for (int i = 0; i < kEach; ++i) {
    boxes[sender][i]->event = {sender, i + 1};
    switch (mailbox.put(boxes[sender][i])) {
      case Mailbox::Put::queued:
        break;
      case Mailbox::Put::woke:
        run();
        break;
      case Mailbox::Put::closed:
        ++dropped[sender];
        break;
    }
  }
}

int main() {
  for (auto& of_sender : boxes)
    for (Boxed<Number>*& box : of_sender) box = new Boxed<Number>(Number{});
  const bool rests = mailbox.rest();
  assert(rests);
  std::thread other(send, 1);
  send(0);
  other.join();
  assert(handled + dropped[0] + dropped[1] == kSenders * kEach);
  assert(handled >= kCloseAfter);
}
