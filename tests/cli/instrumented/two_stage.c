/* SCTBench's twostage: what is written under the second lock follows from what is written under the first, but another
 * thread can read in between. Arguments: how many write, and how many read. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int one, two;
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

static void* write_both(void* unused) {
  pthread_mutex_lock(&first);
  one = 1;
  pthread_mutex_unlock(&first);
  pthread_mutex_lock(&second);
  two = one + 1;
  pthread_mutex_unlock(&second);
  return unused;
}

static void* read_both(void* unused) {
  pthread_mutex_lock(&first);
  const int seen = one;
  pthread_mutex_unlock(&first);
  if (seen == 0) return unused;
  pthread_mutex_lock(&second);
  const int also = two;
  pthread_mutex_unlock(&second);
  assert(also == seen + 1);
  return unused;
}

int main(int count, char** words) {
  const int writers = atoi(words[count - 2]);
  const int all = writers + atoi(words[count - 1]);
  pthread_t* threads = malloc(sizeof(pthread_t) * (size_t)all);
  for (int i = 0; i < all; ++i) pthread_create(&threads[i], NULL, i < writers ? write_both : read_both, NULL);
  for (int i = 0; i < all; ++i) pthread_join(threads[i], NULL);
  free(threads);
  return 0;
}
