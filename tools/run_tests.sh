#!/usr/bin/env bash
# Builds and tests the release preset, then the same under AddressSanitizer, then compiles everything with Clang. A part
# that fails does not stop the next. The last line is the total: `N passed, M failed`.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

passed=0
failed=0

fail() {
  echo "FAILED: $*"
  failed=$((failed + 1))
}

build() {
  local preset=$1
  echo "== $preset: build"
  cmake --preset "$preset" > "build/configure-$preset.log" 2>&1 || {
    cat "build/configure-$preset.log"
    return 1
  }
  cmake --build --preset "$preset"
}

run() {
  local preset=$1 log=build/ctest-$1.log status=0 summary
  echo "== $preset: test"
  ctest --preset "$preset" 2>&1 | tee "$log" || status=1
  # 97% tests passed, 1 tests failed out of 34
  summary=$(sed -nE 's/^[0-9]+% tests passed, ([0-9]+) tests failed out of ([0-9]+)$/\1 \2/p' "$log")
  if [[ -z $summary ]]; then
    fail "ctest of the $preset preset ran no test"
    return
  fi
  local failures=${summary% *} total=${summary#* }
  passed=$((passed + total - failures))
  failed=$((failed + failures))
  ((status == 0 || failures > 0)) || fail "ctest of the $preset preset"
}

mkdir -p build
for preset in release asan; do
  if build "$preset"; then
    run "$preset"
  else
    fail "build of the $preset preset"
  fi
done
build clang || fail "build of the clang preset"

echo "$passed passed, $failed failed"
((failed == 0))
