#!/usr/bin/env bash
# Runs the tests labelled soak in the release build: tests/<folder>/*_soak.cpp.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if ctest --preset soak -N | grep -q '^Total Tests: 0$'; then
  echo "no soak tests: add one as tests/<folder>/<name>_soak.cpp"
  exit 0
fi
exec ctest --preset soak
