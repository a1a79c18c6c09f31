#!/usr/bin/env bash
# Make the virtual environment .venv: countci itself, editable, and what its developers use.
set -euo pipefail
cd "$(dirname "$0")/.."

# Debian's python3 comes without ensurepip; the packages that bring it are named by version.
make_environment() {
  local python=$1 version
  if "$python" -c 'import ensurepip' 2>/dev/null; then
    "$python" -m venv --clear .venv
  elif "$python" -c 'import virtualenv' 2>/dev/null; then
    "$python" -m virtualenv --quiet --clear .venv
  else
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    scripts/apt-install.sh "python$version-venv"
    "$python" -m venv --clear .venv
  fi
}

if ! .venv/bin/python -c 'import pip' 2>/dev/null; then
  python=$(scripts/python.sh)
  echo "making .venv with $python"
  make_environment "$python"
fi

echo "installing countci and its development tools into .venv"
pip=(.venv/bin/python -m pip -qq --disable-pip-version-check install) # -qq: errors only
"${pip[@]}" 'pip>=25.1' # the first that reads [dependency-groups]
"${pip[@]}" --editable . --group dev
