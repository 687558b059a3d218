// The part that is not.
int seen = 0;

__attribute__((noinline)) void see(int value) { seen = value; }

int add(int value) {
  see(value);
  return value + seen;
}
