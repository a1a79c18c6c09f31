#!/usr/bin/env bash
# Install the programs that the demo and the tests run, where they are missing.
set -euo pipefail

scripts=$(cd "$(dirname "$0")" && pwd)
missing=()
command -v valgrind >/dev/null || missing+=(valgrind libc6-dbg)
command -v git >/dev/null || missing+=(git)
command -v cc >/dev/null || missing+=(gcc libc6-dev)
command -v c++ >/dev/null || missing+=(g++)
command -v strace >/dev/null || missing+=(strace)
command -v objdump >/dev/null || missing+=(binutils)
if [ ${#missing[@]} -gt 0 ]; then
  "$scripts/apt-install.sh" "${missing[@]}"
fi
