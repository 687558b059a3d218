// A loop of libuv with work in its pool of threads, files read there, a thread that wakes the loop, and a timer.
#include <fcntl.h>
#include <uv.h>

#include <cstdio>
#include <cstdlib>

namespace {

constexpr int kJobs = 5;

struct Sums {
  int worked = 0;
  int woken = 0;
  int ticks = 0;
  int opened = 0;
};

struct Job {
  uv_work_t request;
  int number;
  int result;
  Sums* sums;
};

void require(int result, const char* what) {
  if (result >= 0) return;
  std::printf("%s: %s\n", what, uv_strerror(result));
  std::fflush(stdout);
  std::_Exit(1);
}

void queue(uv_loop_t* loop, Job& job, int number, Sums& sums) {
  job.number = number;
  job.sums = &sums;
  job.request.data = &job;
  const auto work = [](uv_work_t* request) {
    Job& self = *static_cast<Job*>(request->data);
    self.result = self.number * self.number;
  };
  const auto after = [](uv_work_t* request, int) {
    const Job& self = *static_cast<Job*>(request->data);
    self.sums->worked += self.result;
  };
  require(uv_queue_work(loop, &job.request, work, after), "queue");
}

}  // namespace

int main() {
  uv_loop_t loop;
  require(uv_loop_init(&loop), "loop");
  Sums sums;

  Job jobs[kJobs];
  for (int i = 0; i < kJobs; ++i) queue(&loop, jobs[i], i, sums);

  uv_async_t async;
  async.data = &sums;
  require(uv_async_init(&loop, &async,
                        [](uv_async_t* handle) {
                          ++static_cast<Sums*>(handle->data)->woken;
                          uv_close(reinterpret_cast<uv_handle_t*>(handle), nullptr);
                        }),
          "async");
  uv_thread_t thread;
  require(uv_thread_create(
              &thread, [](void* handle) { uv_async_send(static_cast<uv_async_t*>(handle)); }, &async),
          "thread");

  uv_timer_t timer;
  timer.data = &sums;
  require(uv_timer_init(&loop, &timer), "timer");
  const auto tick = [](uv_timer_t* handle) {
    if (++static_cast<Sums*>(handle->data)->ticks == 3) uv_close(reinterpret_cast<uv_handle_t*>(handle), nullptr);
  };
  require(uv_timer_start(&timer, tick, 1, 1), "start");

  uv_fs_t file;
  file.data = &sums;
  const auto opened = [](uv_fs_t* request) {
    require(static_cast<int>(request->result), "open");
    ++static_cast<Sums*>(request->data)->opened;
    uv_fs_t closing;
    uv_fs_close(nullptr, &closing, static_cast<uv_file>(request->result), nullptr);
    uv_fs_req_cleanup(request);
  };
  require(uv_fs_open(&loop, &file, "/dev/null", O_RDONLY, 0, opened), "open");

  uv_run(&loop, UV_RUN_DEFAULT);
  uv_thread_join(&thread);
  require(uv_loop_close(&loop), "close");
  std::printf("worked %d, woken %d, %d ticks, %d opened\n", sums.worked, sums.woken, sums.ticks, sums.opened);
}
