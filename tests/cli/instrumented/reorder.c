/* SCTBench's reorder: threads write a and then b, and others must see neither write or both. Arguments: how many write,
 * and how many look. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int a, b;

static void* set(void* unused) {
  a = 1;
  b = -1;
  return unused;
}

static void* look(void* unused) {
  assert((a == 0 && b == 0) || (a == 1 && b == -1));
  return unused;
}

int main(int count, char** words) {
  const int setters = atoi(words[count - 2]);
  const int all = setters + atoi(words[count - 1]);
  pthread_t* threads = malloc(sizeof(pthread_t) * (size_t)all);
  for (int i = 0; i < all; ++i) pthread_create(&threads[i], NULL, i < setters ? set : look, NULL);
  for (int i = 0; i < all; ++i) pthread_join(threads[i], NULL);
  free(threads);
  return 0;
}
