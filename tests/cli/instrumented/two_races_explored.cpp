// The same in process; its argument is a file of suppressions.
#include <heddle/heddle.hpp>

#include "two_races.hpp"

int main(int count, char** words) {
  heddle::Options options;
  options.executions = 300;
  if (count > 1) options.suppressions = words[1];
  return heddle::explore_main(both, options);
}
