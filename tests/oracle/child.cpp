#include "oracle/child.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdio>

namespace heddle::oracle {

Answer in_child(unsigned seconds_max, const std::function<void(const Say& say)>& work) {
  int ends[2];
  if (pipe(ends) != 0) return {true, "no pipe"};
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    dup2(ends[1], STDERR_FILENO);
    alarm(seconds_max);
    work([](const std::string& text) { (void)!write(STDERR_FILENO, text.data(), text.size()); });
    _exit(0);
  }
  close(ends[1]);
  Answer answer;
  std::array<char, 4096> part;
  for (ssize_t count; (count = read(ends[0], part.data(), part.size())) > 0;)
    answer.text.append(part.data(), static_cast<std::size_t>(count));
  close(ends[0]);
  int status = 0;
  answer.died = child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0;
  if (answer.died && WIFSIGNALED(status)) answer.text += "\nended by signal " + std::to_string(WTERMSIG(status)) + "\n";
  return answer;
}

}  // namespace heddle::oracle
