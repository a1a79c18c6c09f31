#!/usr/bin/env bash
# Check actions and workflows with three linters, all of them without a network.
set -euo pipefail
cd "$(dirname "$0")/.."

bin=.venv/bin
actions=(action.yml .github/actions/*/action.yml)
workflows=(.github/workflows/*.yml)
"$bin/check-jsonschema" --quiet --builtin-schema vendor.github-actions "${actions[@]}"
"$bin/check-jsonschema" --quiet --builtin-schema vendor.github-workflows "${workflows[@]}"
"$bin/actionlint" -shellcheck= -pyflakes= "${workflows[@]}"
"$bin/zizmor" --quiet --offline --no-progress --strict-collection --persona=pedantic \
  "${actions[@]}" .github/workflows
