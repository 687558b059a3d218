/* Two threads of a C program that knows nothing of heddle take two locks in opposite orders. */
// expect: verdict=deadlock message="T0 waits for m[12] .held by T1., T1 waits for m[12] .held by T0." executions<=1000
// expect: verdict=deadlock strategy=portfolio executions<=3 seeds=20
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;

static void* take_both(void* unused) {
  pthread_mutex_lock(&left);
  pthread_mutex_lock(&right);
  pthread_mutex_unlock(&right);
  pthread_mutex_unlock(&left);
  return unused;
}

int main(void) {
  pthread_t other;
  if (pthread_create(&other, NULL, take_both, NULL) != 0) return 1;
  pthread_mutex_lock(&right);
  pthread_mutex_lock(&left);
  pthread_mutex_unlock(&left);
  pthread_mutex_unlock(&right);
  return pthread_join(other, NULL);
}
