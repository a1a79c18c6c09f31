#!/usr/bin/env bash
# Install the countci of this action's own checkout, for the action: into an environment of its own, and
# nothing from an index but files whose digests .github/requirements.txt holds.
set -euo pipefail

top=$(cd "$(dirname "$0")/.." && pwd)
venv=$RUNNER_TEMP/countci/venv
"$1" -m venv --clear "$venv"
pip=("$venv/bin/python" -I -m pip --quiet --disable-pip-version-check install)
"${pip[@]}" --require-hashes --only-binary :all: --requirement "$top/.github/requirements.txt"
"${pip[@]}" --no-deps --no-build-isolation --no-index "$top"
"$venv/bin/countci" --version
