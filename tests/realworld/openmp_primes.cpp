// What OpenMP programs do most: loops that are shared out in three ways, critical sections, barriers, and tasks unless
// it is built with WITHOUT_TASKS.
#include <omp.h>

#include <cstdio>
#include <vector>

namespace {

constexpr int kNumbers = 60;

bool is_prime(int number) {
  for (int divisor = 2; divisor * divisor <= number; ++divisor)
    if (number % divisor == 0) return false;
  return number > 1;
}

int fibonacci(int n) {
  if (n < 2) return n;
  int one = 0;
  int other = 0;
#ifndef WITHOUT_TASKS
#pragma omp task shared(one)
  one = fibonacci(n - 1);
#pragma omp task shared(other)
  other = fibonacci(n - 2);
#pragma omp taskwait
#else
  one = fibonacci(n - 1);
  other = fibonacci(n - 2);
#endif
  return one + other;
}

}  // namespace

int main() {
  omp_set_dynamic(0);
  omp_set_num_threads(3);
  int primes = 0;
#pragma omp parallel for schedule(dynamic, 4) reduction(+ : primes)
  for (int i = 0; i < kNumbers; ++i) primes += is_prime(i);

  std::vector<int> found;
#pragma omp parallel for schedule(guided)
  for (int i = 0; i < kNumbers; ++i) {
    if (!is_prime(i)) continue;
#pragma omp critical
    found.push_back(i);
  }

  int rounds = 0;
#pragma omp parallel
  for (int round = 0; round < 3; ++round) {
#pragma omp barrier
#pragma omp single
    ++rounds;
  }

  int ordered_sum = 0;
#pragma omp parallel for ordered schedule(static, 1)
  for (int i = 0; i < 6; ++i) {
#pragma omp ordered
    ordered_sum = ordered_sum * 2 + i;
  }

  int number = 0;
#pragma omp parallel
#pragma omp single
  number = fibonacci(5);
  std::printf("%d primes, %zu found, %d rounds, %d in order, %d by tasks\n", primes, found.size(), rounds, ordered_sum,
              number);
}
