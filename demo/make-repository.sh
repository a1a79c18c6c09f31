#!/usr/bin/env bash
# Make the demo's git repository at $1: demo/words, then each patch. The same commits everywhere.
set -euo pipefail

demo=$(cd "$(dirname "$0")" && pwd)
repository=$1

# The user's own configuration (signing, hooks, line ends) must not change the commits.
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME='A. Programmer' GIT_AUTHOR_EMAIL=programmer@example.org
export GIT_COMMITTER_NAME=$GIT_AUTHOR_NAME GIT_COMMITTER_EMAIL=$GIT_AUTHOR_EMAIL
export GIT_AUTHOR_DATE=2026-03-02T10:00:00Z GIT_COMMITTER_DATE=2026-03-02T10:00:00Z

rm -rf "$repository"
mkdir -p "$repository"
cp -R "$demo/words/." "$repository"
cd "$repository"
git init --quiet --initial-branch=main
git add .
git commit --quiet --message='Count words, list the most frequent, find by beginning'
git am --quiet --committer-date-is-author-date "$demo"/*.patch
