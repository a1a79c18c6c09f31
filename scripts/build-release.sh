#!/usr/bin/env bash
# Build wheel and source archive into dist/, for the tag vVERSION that is named; nothing from an index but files
# whose digests .github/requirements.txt holds.
set -euo pipefail
cd "$(dirname "$0")/.."

venv=$(mktemp -d)
trap 'rm -rf "$venv"' EXIT
"${PYTHON:-python3}" -m venv "$venv"
"$venv/bin/pip" --quiet --disable-pip-version-check install \
  --require-hashes --only-binary :all: --requirement .github/requirements.txt
version=$("$venv/bin/hatchling" version)
if [ "$1" != "v$version" ]; then
  echo "the tag is $1, the version $version: one of the two is wrong" >&2
  exit 1
fi
rm -rf dist
"$venv/bin/hatchling" build --directory dist
