int shared_value = 40;

int part(int more) { return shared_value += more; }
