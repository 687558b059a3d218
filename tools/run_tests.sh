#!/usr/bin/env bash
# Builds and tests the release preset, then the same under AddressSanitizer, then compiles everything with Clang. A part
# that fails does not stop the next. The last lines name what failed and give the total: `N passed, M failed`.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

passed=0
failed=0
failures=()

fail() {
  echo "FAILED: $*"
  failures+=("$*")
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
  local count=${summary% *} total=${summary#* }
  passed=$((passed + total - count))
  failed=$((failed + count))
  ((status == 0 || count > 0)) || fail "ctest of the $preset preset"
  # "\t1658 - runtime/On/ThreadLocal.ErrnoBelongsToItsThread/Carrier (Failed)", in the list at the end
  ((count == 0)) || mapfile -t -O "${#failures[@]}" failures < <(sed -nE "s/^\t *[0-9]+ - (.*) \(([^()]*)\)$/$preset: \1 (\2)/p" "$log" | grep -v '(Skipped)$')
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

((failed == 0)) || printf 'FAILED: %s\n' "${failures[@]}"
echo "$passed passed, $failed failed"
((failed == 0))
