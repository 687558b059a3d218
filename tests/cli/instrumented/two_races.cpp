#include "two_races.hpp"

int main() { both(); }
