// odd: a static initialiser never ends
// expect: refused: did not come to `main` within the time
// options: --time 1
__attribute__((constructor)) static void spin(void) {
  for (volatile int i = 0;; ++i) {
  }
}

int main(void) { return 0; }
