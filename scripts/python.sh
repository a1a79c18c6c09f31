#!/usr/bin/env bash
# Print the path of a Python that is new enough. Each candidate is run, because a version
# manager's shim may be on PATH for a version that it then refuses to start.
set -euo pipefail

for name in python3 python3.14 python3.13 python3.12 python3.11 python; do
  for path in $(type -ap "$name"); do
    if "$path" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      "$path" -c 'import os, sys; print(os.path.realpath(sys.executable))'
      exit
    fi
  done
done
echo "countci needs Python 3.11 or later; on Debian 12 or Ubuntu 24.04: apt-get install python3" >&2
exit 1
