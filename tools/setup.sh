#!/usr/bin/env bash
# Installs the distribution packages that heddle is built and tested with, if any are missing. Silent otherwise.
#
#   setup.sh          what `make demo` and `make test` need
#   setup.sh soak     also the real programs that only `make soak` explores (tests/realworld/programs.py)
set -euo pipefail

packages=(
  cmake ninja-build g++ clang-14 libclang-rt-14-dev clang-format-14
  libboost-context-dev libdw-dev libcli11-dev libfmt-dev nlohmann-json3-dev
  libgtest-dev libbenchmark-dev libcaf-dev catch2 python3 gdb
  pigz pbzip2 xz-utils zstd libsqlite3-dev libevent-dev libboost-dev
  libjemalloc-dev libgoogle-perftools-dev libmimalloc-dev
  git ripgrep fd-find libboost-thread-dev libleveldb-dev libuv1-dev liburcu-dev
)
if [[ ${1:-} == soak ]]; then
  packages+=(
    x264 nodejs openjdk-17-jdk-headless redis-server memcached libomp-14-dev libtbb-dev libabsl-dev libzmq3-dev
    librocksdb-dev libglib2.0-dev libboost-fiber-dev
  )
fi

if ! command -v dpkg-query > /dev/null; then
  echo "setup: no dpkg here; heddle needs what Debian 12 calls: ${packages[*]}" >&2
  exit 0
fi

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2> /dev/null) || true
  [[ $status == installed ]] || missing+=("$package")
done
((${#missing[@]})) || exit 0

if ((EUID == 0)); then
  as_root=()
elif sudo -n true 2> /dev/null; then
  as_root=(sudo -n)
else
  echo "sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing[*]}"
  exit 1
fi

echo "setup: installing ${missing[*]}"
as_root+=(env DEBIAN_FRONTEND=noninteractive)
"${as_root[@]}" apt-get -qq update
"${as_root[@]}" apt-get -qq install -y --no-install-recommends "${missing[@]}"
