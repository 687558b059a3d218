// Works on memory, in as many threads as the first argument says (0: in `main`): sums over arrays, a sieve, a hash
// table, records on the heap. Threads share the data they read, and take a lock now and then.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace {

struct Record {
  std::uint64_t key = 0;
  std::uint32_t count = 0;
  std::uint16_t kind = 0;
  std::uint8_t flags = 0;
};

std::vector<std::uint64_t> shared;  // read by all, written by nobody after the start
std::mutex lock;
std::uint64_t total = 0;

std::uint64_t sum_and_scale(std::vector<std::uint64_t>& numbers, std::uint64_t factor) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = numbers[i] * factor + shared[i % shared.size()];
    sum += numbers[i];
  }
  return sum;
}

std::uint64_t sieve(std::vector<std::uint8_t>& composite) {
  std::uint64_t primes = 0;
  for (std::size_t i = 0; i < composite.size(); ++i) composite[i] = 0;
  for (std::size_t i = 2; i < composite.size(); ++i) {
    if (composite[i] != 0) continue;
    ++primes;
    for (std::size_t j = i * i; j < composite.size(); j += i) composite[j] = 1;
  }
  return primes;
}

std::uint64_t count_in_table(std::vector<Record>& table, std::uint64_t seed) {
  for (std::size_t i = 0; i < table.size() * 2; ++i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    Record& record = table[(seed >> 33) % table.size()];
    if (record.key != seed) record.key = seed;
    ++record.count;
    record.kind = static_cast<std::uint16_t>(seed);
    record.flags |= 1;
  }
  return table[0].count;
}

void work(std::uint64_t seed, int rounds) {
  std::vector<std::uint64_t> numbers(20'000, seed);
  std::vector<std::uint8_t> composite(60'000);
  std::vector<Record> table(10'000);
  for (int round = 0; round < rounds; ++round) {
    std::uint64_t sum = sum_and_scale(numbers, seed) + sieve(composite) + count_in_table(table, seed);
    for (int i = 0; i < 200; ++i) sum += std::make_unique<Record>()->count;
    const std::lock_guard guard(lock);
    total += sum;
  }
}

}  // namespace

int main(int, char** words) {
  const int threads = std::atoi(words[1]);
  const int rounds = std::atoi(words[2]);
  shared.assign(10'000, 3);
  std::vector<std::thread> started;
  for (int i = 0; i < threads; ++i) started.emplace_back(work, static_cast<std::uint64_t>(i) + 1, rounds);
  if (threads == 0) work(1, rounds);
  for (std::thread& one : started) one.join();
  return total == 0 ? 1 : 0;
}
