// The command as a function.
#define main heddle_main
#include "cli/main.cpp"
