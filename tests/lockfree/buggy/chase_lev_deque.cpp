// The work-stealing deque of Chase and Lev, 2005, without the growth, in which the owner takes the last item without a
// compare-exchange. The thief reads top and bottom and sees one item; the owner lowers bottom, reads top and sees that
// the item is still there; the thief raises top. Both have it.
// expect: finds=assertion
#include <atomic>
#include <cassert>
#include <thread>

constexpr int kEmpty = 0;

std::atomic<int> top = 0;     // thieves take here
std::atomic<int> bottom = 0;  // the owner puts and takes here
std::atomic<int> items[2];

void put(int item) {
  const int end = bottom.load();
  items[end].store(item);
  bottom.store(end + 1);
}

int take() {
  const int last = bottom.load() - 1;
  bottom.store(last);
  int first = top.load();
  if (first > last) {
    bottom.store(last + 1);
    return kEmpty;
  }
  const int item = items[last].load();
  if (first < last) return item;
  top.store(last + 1);
  bottom.store(last + 1);
  return item;
}

int steal() {
  int first = top.load();
  if (first >= bottom.load()) return kEmpty;
  const int item = items[first].load();
  return top.compare_exchange_strong(first, first + 1) ? item : kEmpty;
}

int main() {
  int stolen = kEmpty;
  put(1);
  std::thread thief([&] { stolen = steal() + steal(); });
  put(2);
  const int second = take();
  const int first = take();
  thief.join();
  assert(first + second + stolen == 1 + 2);  // each item once: the owner finds what the thief has not got
}
