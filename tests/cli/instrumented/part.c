#ifdef __cplusplus  // what g++ takes it for
extern "C" int part(int more);
#endif

int shared_value = 40;

int part(int more) { return shared_value += more; }
