// A program that does what its first argument names: one way to go wrong, or right, each. For the tests of `heddle
// run`.
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

#include "../odd/raw.h"

namespace {

std::mutex first;
std::mutex second;
std::condition_variable never;
sem_t posted;
int winner = 0;  // who came last to `first`

/// Two threads write in turn; which of them is the last is a matter of the schedule.
void race() {
  std::thread one([] {
    const std::lock_guard guard(first);
    winner = 1;
  });
  std::thread two([] {
    const std::lock_guard guard(first);
    winner = 2;
  });
  one.join();
  two.join();
}

void in_thread(void (*body)()) { std::thread(body).join(); }

void lock_both(std::mutex& one, std::mutex& other) {
  const std::lock_guard outer(one);
  const std::lock_guard inner(other);
}

int correct() {
  race();
  std::puts("done");
  return 0;
}

int exit_when_raced() {
  race();
  return winner == 1 ? 3 : 0;
}

int abort_when_raced() {
  race();
  if (winner == 1) std::abort();
  return 0;
}

int assert_when_raced() {
  race();
  assert(winner == 2);
  return 0;
}

int throw_when_raced() {
  race();
  if (winner == 1) throw std::runtime_error("the first came last");
  return 0;
}

struct Strange {};

int throw_strange_in_a_thread() {
  in_thread([] { throw Strange(); });
  return 0;
}

int abort_in_catch() {
  in_thread([] {
    try {
      throw std::runtime_error("caught");
    } catch (const std::exception&) {
      std::abort();
    }
  });
  return 0;
}

int terminate_without_exception() {
  std::thread never_joined([] {});
  return 0;  // its destructor terminates
}

int crash_when_raced() {
  race();
  if (winner == 1) *static_cast<volatile int*>(nullptr) = 1;
  return 0;
}

int exit_in_a_thread() {
  in_thread([] { std::exit(4); });
  return 0;
}

int post_and_abort_beside_exit() {
  sem_init(&posted, 0, 0);
  std::thread([] {
    sem_post(&posted);
    std::abort();
  }).detach();
  sem_wait(&posted);
  std::exit(3);
}

int abort_beside_assert() {
  std::thread([] { std::abort(); }).detach();
  assert(winner == 1);
  return 0;
}

int exit_while_main_returns() {
  std::thread([] { std::exit(0); }).detach();
  return 0;
}

int underscore_exit_in_a_thread() {
  in_thread([] { _exit(5); });
  return 0;
}

int main_leaves_others() {
  std::thread([] {
    race();
    std::puts("after main");
  }).detach();
  pthread_exit(nullptr);
}

int threads_that_exit() {
  std::thread one([] { pthread_exit(nullptr); });
  std::thread two([] {
    race();
    pthread_exit(nullptr);
  });
  one.join();
  two.join();
  return 0;
}

/// Handlers run in the opposite order of their registration: who is second to post may be the first to register.
int register_handlers() {
  static int first_to_run;
  sem_init(&posted, 0, 0);
  first_to_run = 0;
  std::atexit([] {
    if (first_to_run == 1) std::abort();
  });
  std::thread one([] {
    sem_post(&posted);
    std::atexit([] { first_to_run = first_to_run == 0 ? 1 : first_to_run; });
  });
  std::thread two([] {
    sem_wait(&posted);
    std::atexit([] { first_to_run = first_to_run == 0 ? 2 : first_to_run; });
  });
  one.join();
  two.join();
  return 0;
}

int daemons() {
  std::thread([] {
    for (;;) std::this_thread::yield();
  }).detach();
  std::thread([] {
    std::unique_lock lock(second);
    never.wait(lock, [] { return false; });
  }).detach();
  race();
  return 0;
}

int deadlock() {
  std::thread one([] { lock_both(first, second); });
  lock_both(second, first);
  one.join();
  return 0;
}

int two_bugs() {
  race();
  const int before = winner;
  race();
  assert(before == 2 || winner == 2);
  if (before == 1 && winner == 2) std::abort();
  return 0;
}

int say_winner() {
  std::puts("before");
  race();
  std::printf("winner %d\n", winner);
  return 0;
}

int yield_for_ever() {
  std::thread other([] {
    for (;;) std::this_thread::yield();
  });
  other.join();
  return 0;
}

/// No call that heddle could see.
int spin_for_ever() {
  std::thread other([] {
    for (volatile int i = 0;;) i = i + 1;
  });
  other.join();
  return 0;
}

int long_start() {
  for (int i = 0; i < 50; ++i) in_thread([] {});
  race();
  assert(winner == 2);
  return 0;
}

/// Reads some of its input before it starts a thread, and the rest after.
int copy_input() {
  char line[200];
  if (std::fgets(line, sizeof line, stdin) != nullptr) std::fputs(line, stdout);
  race();
  while (std::fgets(line, sizeof line, stdin) != nullptr) std::fputs(line, stdout);
  assert(winner == 2);
  return 0;
}

int copy_input_by_read() {
  char bytes[4];
  ssize_t got = read(STDIN_FILENO, bytes, sizeof bytes);
  if (write(STDOUT_FILENO, bytes, static_cast<std::size_t>(got)) != got) return 1;
  race();
  while ((got = read(STDIN_FILENO, bytes, sizeof bytes)) > 0)
    if (write(STDOUT_FILENO, bytes, static_cast<std::size_t>(got)) != got) return 1;
  assert(winner == 2);
  return 0;
}

/// Fails always, so that what it writes is shown.
int describe_surroundings() {
  race();
  char directory[4096];
  std::printf("directory %s\n", getcwd(directory, sizeof directory));
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (std::strstr(*variable, "HEDDLE") || std::strncmp(*variable, "LD_", 3) == 0 || std::strstr(*variable, "TEST_"))
      std::printf("variable %s\n", *variable);
  std::printf("descriptor %d\n", dup(0));
  std::fputs("to standard error\n", stderr);
  return 9;
}

/// As daemons do before they start.
int close_everything() {
  closefrom(STDERR_FILENO + 1);
  race();
  assert(winner == 2);
  return 0;
}

int kill_when_raced() {
  race();
  if (winner == 1) kill(getpid(), SIGKILL);
  return 0;
}

/// Whatever an earlier execution did to memory, descriptors, environment or heap must not be seen.
int find_all_fresh() {
  static int runs = 0;
  static char* kept = nullptr;
  static thread_local int in_thread_local = 0;
  char* const block = static_cast<char*>(std::malloc(100));
  if (++runs != 1 || kept != nullptr || ++in_thread_local != 1) return 1;
  kept = block;
  if (std::getenv("ACT_WAS_HERE") != nullptr || setenv("ACT_WAS_HERE", "1", 1) != 0) return 2;
  const int descriptor = open("/dev/null", O_RDONLY);  // and never closed
  char* const later = static_cast<char*>(std::malloc(5000));
  race();
  for (int i = 0; i < 100; ++i) kept = static_cast<char*>(std::malloc(1000));  // where depends on the schedule
  std::printf("%p %p %d\n", static_cast<void*>(block), static_cast<void*>(later), descriptor);
  fclose(stdin);
  return 0;
}

int start_child() {
  race();
  return std::system("true");
}

// What cannot be undone, each in some schedules only.

int leave_directory() {
  race();
  return winner == 1 ? chdir("/") : 0;
}

/// Fails if there was nothing to read.
int read_and_leave_directory() {
  static char bytes[1u << 16];
  bool is_empty = true;
  while (read(STDIN_FILENO, bytes, sizeof bytes) > 0) is_empty = false;
  race();
  return is_empty ? 8 : chdir("/");
}

int leave_umask() {
  race();
  if (winner == 1) umask(0);
  return 0;
}

int leave_limit() {
  race();
  const rlimit limit{100, 100};
  return winner == 1 ? setrlimit(RLIMIT_NOFILE, &limit) : 0;
}

int leave_mapping() {
  race();
  return mmap(nullptr, 1u << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? 1 : 0;
}

/// The way out that heddle does not see.
int end_unseen() {
  race();
  if (winner == 1) raw_call(SYS_exit_group, 5, 0, 0, 0);
  return 0;
}

/// Waits for what never comes, in a call that heddle does not know.
int stand_unseen() {
  race();
  int from[2];
  int to[2];
  if (pipe(from) != 0 || pipe(to) != 0) return 1;
  if (winner == 1) splice(from[0], nullptr, to[1], nullptr, 1, 0);
  return 0;
}

int start_slowly() {
  volatile int rounds = 0;
  while (rounds < 20'000'000) rounds = rounds + 1;
  race();
  return 0;
}

int spin_on_flag() {
  static std::atomic<bool> flag = false;
  std::thread other([] { flag = true; });
  while (!flag) {
  }
  other.join();
  return 0;
}

/// A call that heddle does not know: the other thread stands in it for ever.
int wait_in_splice() {
  int from[2];
  int to[2];
  if (pipe(from) != 0 || pipe(to) != 0) return 1;
  std::thread waits([&] { splice(from[0], nullptr, to[1], nullptr, 1, 0); });
  race();
  if (write(from[1], "x", 1) != 1) return 1;
  waits.join();
  return 0;
}

int wait_for_file_lock() {
  const int mine = open("/proc/self/exe", O_RDONLY);
  const int others = open("/proc/self/exe", O_RDONLY);
  flock(mine, LOCK_EX);
  std::thread waits([&] { flock(others, LOCK_EX); });
  race();
  flock(mine, LOCK_UN);
  waits.join();
  return 0;
}

int unlock_as_stranger() {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  in_thread([] { pthread_mutex_unlock(&lock); });
  return 0;
}

int alone() { return 0; }
int alone_and_failing() { return 6; }

const std::map<std::string, int (*)()> kActs = {
    {"correct", correct},
    {"exit", exit_when_raced},
    {"abort", abort_when_raced},
    {"assert", assert_when_raced},
    {"throw", throw_when_raced},
    {"throw-strange", throw_strange_in_a_thread},
    {"abort-in-catch", abort_in_catch},
    {"terminate", terminate_without_exception},
    {"crash", crash_when_raced},
    {"exit-in-a-thread", exit_in_a_thread},
    {"abort-beside-exit", post_and_abort_beside_exit},
    {"abort-beside-assert", abort_beside_assert},
    {"exit-while-main-returns", exit_while_main_returns},
    {"_exit-in-a-thread", underscore_exit_in_a_thread},
    {"main-leaves", main_leaves_others},
    {"threads-that-exit", threads_that_exit},
    {"register-handlers", register_handlers},
    {"daemons", daemons},
    {"deadlock", deadlock},
    {"two-bugs", two_bugs},
    {"say-winner", say_winner},
    {"yield-for-ever", yield_for_ever},
    {"spin-for-ever", spin_for_ever},
    {"long-start", long_start},
    {"copy-input", copy_input},
    {"copy-input-by-read", copy_input_by_read},
    {"surroundings", describe_surroundings},
    {"close-everything", close_everything},
    {"kill", kill_when_raced},
    {"find-all-fresh", find_all_fresh},
    {"start-child", start_child},
    {"leave-directory", leave_directory},
    {"read-and-leave-directory", read_and_leave_directory},
    {"leave-umask", leave_umask},
    {"leave-limit", leave_limit},
    {"leave-mapping", leave_mapping},
    {"end-unseen", end_unseen},
    {"stand-unseen", stand_unseen},
    {"start-slowly", start_slowly},
    {"spin-on-flag", spin_on_flag},
    {"file-lock", wait_for_file_lock},
    {"wait-in-splice", wait_in_splice},
    {"unlock-as-stranger", unlock_as_stranger},
    {"alone", alone},
    {"alone-and-failing", alone_and_failing},
};

}  // namespace

int main(int count, char** words) {
  for (int i = 2; i < count; ++i) std::printf("argument %s\n", words[i]);
  const auto act = count > 1 ? kActs.find(words[1]) : kActs.end();
  if (act == kActs.end()) return 125;
  return act->second();
}
