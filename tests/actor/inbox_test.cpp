// The inbox beside a plain list: the same order, and a hash that depends on nothing but the contents.
#include "actor/inbox.hpp"

#include <gtest/gtest.h>

#include <list>
#include <map>
#include <memory>
#include <vector>

namespace {

using heddle::actor::Boxed;
using heddle::actor::EventBox;
using heddle::actor::Inbox;

struct Hashed {
  std::uint64_t value;
  std::uint64_t hash() const { return value; }
};

TEST(Inboxes, do_as_a_list_and_hash_by_contents) {
  std::uint64_t random = 1;
  const auto below = [&](std::size_t bound) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    return static_cast<std::size_t>((random >> 16) % bound);
  };
  std::map<std::vector<std::uint64_t>, std::uint64_t> hashes;
  std::map<std::uint64_t, std::vector<std::uint64_t>> contents_of;
  for (int run = 0; run < 200; ++run) {
    Inbox inbox;
    std::vector<std::unique_ptr<Boxed<Hashed>>> boxes;
    std::list<EventBox*> plain;
    for (int step = 0; step < 100; ++step) {
      if (plain.empty() || below(2) == 0) {
        boxes.push_back(std::make_unique<Boxed<Hashed>>(Hashed{below(3)}));
        inbox.push(boxes.back().get());
        plain.push_back(boxes.back().get());
      } else {
        auto at = plain.begin();
        std::advance(at, below(std::min<std::size_t>(plain.size(), 3)));
        inbox.remove(*at, at == plain.begin() ? nullptr : *std::prev(at));
        plain.erase(at);
      }
      std::vector<std::uint64_t> contents;
      const EventBox* real = inbox.first();
      for (const EventBox* box : plain) {
        ASSERT_EQ(real, box);
        contents.push_back(box->identity);
        real = Inbox::after(*real);
      }
      ASSERT_EQ(real, nullptr);
      ASSERT_EQ(inbox.size(), plain.size());
      ASSERT_EQ(hashes.emplace(contents, inbox.hash()).first->second, inbox.hash());
      ASSERT_EQ(contents_of.emplace(inbox.hash(), contents).first->second, contents);  // and by all of them
    }
  }
}

}  // namespace
