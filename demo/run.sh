#!/usr/bin/env bash
# The gate on a small C program whose last commit makes one of three queries slower.
# Run by `make demo`; ends well when the gate finds that commit and exits with 1.
set -euo pipefail

demo=$(cd "$(dirname "$0")" && pwd)
build=$demo/../build
countci=$(realpath "$demo/../.venv/bin")/countci
export XDG_CACHE_HOME=$build/demo-cache
rm -rf "$XDG_CACHE_HOME" # a second demo shows the same as the first

"$demo/make-repository.sh" "$build/demo"
cd "$build/demo"
git --no-pager log --oneline
printf '\n$ countci compare HEAD~1 HEAD\n'
status=0
"$countci" compare HEAD~1 HEAD || status=$?

if [ "$status" -ne 1 ]; then
  echo "demo: the gate should have failed the last commit (exit code 1), but ended with $status" >&2
  exit 1
fi
printf '\nThe gate failed the last commit, as it should. The repository: %s\n' "$PWD"
