#!/usr/bin/env bash
# Install the named Debian packages, as root or through sudo; say what to type where neither works.
set -euo pipefail

become=()
if [ "$(id -u)" -ne 0 ]; then
  become=(sudo)
fi
if ! command -v apt-get >/dev/null || { [ ${#become[@]} -gt 0 ] && ! command -v sudo >/dev/null; }; then
  echo "missing here: $*. Install them as this system does it, then repeat the command" >&2
  exit 1
fi

apt() {
  "${become[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@" </dev/null
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "installing $*"
if ! { apt update && apt install --yes --no-install-recommends "$@"; } >"$log" 2>&1; then
  tail -20 "$log" >&2
  echo "could not install $*: as root, type apt-get update && apt-get install $*" >&2
  exit 1
fi
