#!/usr/bin/env bash
# Shows a bank with a bug, lets heddle find it, and replays the failure. Fails if the bug is not found both times.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cmake --preset release > /dev/null
cmake --build --preset release --target example_bank heddle_cli

announce() { printf '\n\033[1m$ %s\033[0m\n' "$*"; }

announce cat examples/bank.cpp
# From behind the last #include on, with the line numbers that the report uses.
awk '{ line[NR] = $0 } /^#include/ { start = NR + 1 }
     END { for (i = start; i <= NR; i++) printf "%4d  %s\n", i, line[i] }' examples/bank.cpp

rm -rf build/demo
mkdir -p build/demo
cd build/demo

announce build/examples/bank
status=0
../examples/bank || status=$?
if ((status != 1 && status != 2)); then
  echo "demo: bank was to find its bug, but ended with status $status" >&2
  exit 1
fi

trace=$(ls -t -- *.trace 2> /dev/null | head -n 1) || true
if [[ -z $trace ]]; then
  echo "demo: bank found its bug but wrote no trace" >&2
  exit 1
fi

announce build/bin/heddle replay "$trace"
status=0
../bin/heddle replay "$trace" || status=$?
if ((status != 2)); then
  echo "demo: the replay was to show the bug again, but ended with status $status" >&2
  exit 1
fi
