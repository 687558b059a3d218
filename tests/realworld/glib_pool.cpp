// A pool of threads of GLib, a queue between threads, and a main loop that another thread wakes.
#include <glib.h>

#include <cstdio>

namespace {

constexpr int kJobs = 5;

struct Shared {
  GAsyncQueue* results;
  GMainLoop* loop;
  int ran = 0;
};

void square(gpointer number, gpointer shared) {
  const int value = GPOINTER_TO_INT(number);
  g_async_queue_push(static_cast<Shared*>(shared)->results, GINT_TO_POINTER(value * value));
}

gboolean in_the_loop(gpointer data) {
  Shared& shared = *static_cast<Shared*>(data);
  if (++shared.ran == 2) g_main_loop_quit(shared.loop);
  return G_SOURCE_REMOVE;
}

gpointer wake(gpointer shared) {
  g_idle_add(in_the_loop, shared);
  g_timeout_add(5, in_the_loop, shared);
  return nullptr;
}

}  // namespace

int main() {
  Shared shared{g_async_queue_new(), g_main_loop_new(nullptr, FALSE)};
  GThreadPool* pool = g_thread_pool_new(square, &shared, 3, TRUE, nullptr);
  for (int i = 1; i <= kJobs; ++i) g_thread_pool_push(pool, GINT_TO_POINTER(i), nullptr);
  int sum = 0;
  for (int i = 0; i < kJobs; ++i) sum += GPOINTER_TO_INT(g_async_queue_pop(shared.results));
  g_thread_pool_free(pool, FALSE, TRUE);
  g_async_queue_unref(shared.results);

  GThread* thread = g_thread_new("waker", wake, &shared);
  g_main_loop_run(shared.loop);
  g_thread_join(thread);
  g_main_loop_unref(shared.loop);
  std::printf("sum %d, %d ran\n", sum, shared.ran);
}
