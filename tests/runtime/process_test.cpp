// Child processes of a body run free; waiting for one blocks the operation that waits.
#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>

#include "runtime/on_both.hpp"

namespace heddle::test {
namespace {

HEDDLE_ON_BOTH(Process);

void few(Options& options) { options.executions = 10; }  // a process takes its time

/// The exit code of a child that ended by itself.
int code_of(pid_t child) {
  int status = 0;
  assert(waitpid(child, &status, 0) == child);
  assert(WIFEXITED(status));
  return WEXITSTATUS(status);
}

TEST_P(Process, AChildRunsFreeAndIsWaitedFor) {
  passes(
      [] {
        std::mutex mutex;
        const pid_t child = fork();
        assert(child >= 0);
        if (child == 0) {
          std::thread other([&] { const std::lock_guard lock(mutex); });
          other.join();
          _exit(getpid() != getppid() ? 3 : 4);
        }
        assert(code_of(child) == 3);
        errno = 0;
        assert(waitpid(child, nullptr, 0) == -1 && errno == ECHILD);
      },
      few);
}

TEST_P(Process, AChildOfAThreadThatReturnsEndsThere) {
  passes(
      [] {
        pid_t child = 0;
        std::fflush(nullptr);  // the child ends by exit, and would say it again
        std::thread forks([&] { child = fork(); });
        forks.join();  // not in the child: its only thread has returned
        assert(code_of(child) == 0);
      },
      few);
}

TEST_P(Process, AChildThatNeedsAnotherThreadGetsItsHelp) {
  passes(
      [] {
        int pipe_ends[2];
        assert(pipe(pipe_ends) == 0);
        const pid_t child = fork();
        if (child == 0) {
          char byte = 0;
          _exit(read(pipe_ends[0], &byte, 1) == 1 ? byte : 99);
        }
        std::thread helper([&] {
          heddle::step();
          assert(write(pipe_ends[1], "\x07", 1) == 1);
        });
        assert(code_of(child) == 7);
        helper.join();
        close(pipe_ends[0]);
        close(pipe_ends[1]);
      },
      few);
}

TEST_P(Process, EveryFormOfWaiting) {
  passes(
      [] {
        int status = 0;
        if (fork() == 0) _exit(1);
        assert(wait(&status) > 0 && WEXITSTATUS(status) == 1);
        if (fork() == 0) _exit(2);
        assert(wait3(&status, 0, nullptr) > 0 && WEXITSTATUS(status) == 2);
        const pid_t child = fork();
        if (child == 0) _exit(3);
        siginfo_t info{};
        assert(waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) == 0 && info.si_status == 3);
        assert(wait4(-1, &status, 0, nullptr) == child);
        assert(wait(&status) == -1 && errno == ECHILD);
      },
      few);
}

TEST_P(Process, OtherProgramsDoNotGetHeddle) {
  passes(
      [] {
        setenv("HEDDLE_SEED", "5", 1);
        setenv("OTHER", "6", 1);
        const char* const script = "test -z \"$HEDDLE_SEED\" && test \"$OTHER\" = 6";
        assert(system(script) == 0);
        FILE* const output = popen("echo seed:$HEDDLE_SEED", "r");
        char line[40] = "";
        assert(fgets(line, sizeof line, output) != nullptr && std::string(line) == "seed:\n");
        assert(pclose(output) == 0);
        if (fork() == 0) execl("/bin/sh", "sh", "-c", script, nullptr);
        int status = -1;
        assert(wait(&status) > 0 && status == 0);
        if (vfork() == 0) execlp("sh", "sh", "-c", script, nullptr);
        assert(wait(&status) > 0 && status == 0);
        std::string shell = "sh", option = "-c", text = script;
        char* const arguments[] = {shell.data(), option.data(), text.data(), nullptr};
        pid_t child = 0;
        assert(posix_spawnp(&child, "sh", nullptr, nullptr, arguments, environ) == 0);
        assert(code_of(child) == 0);
        unsetenv("HEDDLE_SEED");
        unsetenv("OTHER");
      },
      few);
}

TEST_P(Process, TheEndOfAChildIsASignal) {
  passes(
      [] {
        static volatile int ended;
        ended = 0;
        struct sigaction action {};
        action.sa_handler = [](int) { ended = 1; };
        sigaction(SIGCHLD, &action, nullptr);
        sigset_t child_ends, before;
        sigemptyset(&child_ends);
        sigaddset(&child_ends, SIGCHLD);
        sigprocmask(SIG_BLOCK, &child_ends, &before);
        const pid_t child = fork();
        if (child == 0) _exit(0);
        while (ended == 0) sigsuspend(&before);
        sigprocmask(SIG_SETMASK, &before, nullptr);
        int status = 0;
        pid_t result = -1;
        do {
          result = waitpid(child, &status, 0);
        } while (result == -1 && errno == EINTR);
        assert(result == child);
      },
      few);
}

TEST_P(Process, AChildHasTheHandlersAndTheMaskOfItsParent) {
  passes(
      [] {
        struct sigaction action {};
        action.sa_handler = [](int) { _exit(9); };
        sigaction(SIGUSR1, &action, nullptr);
        const pid_t child = fork();
        if (child == 0) {
          raise(SIGUSR1);
          _exit(1);
        }
        assert(code_of(child) == 9);
      },
      few);
}

TEST_P(Process, ANamedSemaphoreIsTheSameForAllWhoOpenIt) {
  const std::string name = "/heddle-process-test-" + std::to_string(getpid());
  passes([&] {
    sem_t* const one = sem_open(name.c_str(), O_CREAT | O_EXCL, 0600, 1);
    assert(one != SEM_FAILED);
    sem_t* const two = sem_open(name.c_str(), 0);
    int inside = 0;
    const auto enter = [&](sem_t* semaphore) {
      assert(sem_wait(semaphore) == 0);
      assert(++inside == 1);
      heddle::step();
      --inside;
      assert(sem_post(semaphore) == 0);
    };
    std::thread other([&] { enter(two); });
    enter(one);
    other.join();
    sem_post(one);
    assert(sem_close(two) == 0 && sem_close(one) == 0);
    sem_t* const again = sem_open(name.c_str(), 0);  // its value stays when nobody has it open
    int value = -1;
    assert(sem_getvalue(again, &value) == 0 && value == 2);
    sem_close(again);
    assert(sem_unlink(name.c_str()) == 0);
    assert(sem_open(name.c_str(), 0) == SEM_FAILED && errno == ENOENT);
  });
}

}  // namespace
}  // namespace heddle::test
