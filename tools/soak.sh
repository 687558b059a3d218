#!/usr/bin/env bash
# Runs the tests labelled soak in the release build (tests/<folder>/*_soak.cpp, and the long forms of others), then all
# tests of the build with AddressSanitizer, of which `make test` leaves some out.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if ctest --preset soak -N | grep -q '^Total Tests: 0$'; then
  echo "no soak tests: add one as tests/<folder>/<name>_soak.cpp"
  exit 0
fi
status=0
ctest --preset soak || status=1
cmake --preset asan && cmake --build --preset asan && ctest --preset asan-all || status=1
exit "$status"
