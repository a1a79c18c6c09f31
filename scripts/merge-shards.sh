#!/usr/bin/env bash
# Merge what the shards of a job left in artifacts, for the action that joins them, and show the whole. Green
# only if every shard is there, all agree, and the job that measured didn't end in another way.
set -euo pipefail
shopt -s nullglob

countci=$RUNNER_TEMP/countci/venv/bin/countci
results=()
merged=$RUNNER_TEMP/countci/results/$COUNTCI_NAME
stop() {
  echo "::error title=countci: error::$1"
  echo "status=error" >> "$GITHUB_OUTPUT"
  exit 3
}

if ! [[ $COUNTCI_NAME =~ ^[A-Za-z0-9-]+$ ]]; then
  stop "with: name is more than letters, digits and -"
fi
if ! [[ $COUNTCI_EXPECT =~ ^[1-9][0-9]{0,2}$ ]]; then
  stop "with: expect is no number of shards"
fi
for ((number = 1; number <= COUNTCI_EXPECT; number++)); do # a name may begin with another's: these, and no others
  results+=("$RUNNER_TEMP/countci/shards/$COUNTCI_NAME-$number-of-$COUNTCI_EXPECT"/result*.json)
done
case $COUNTCI_MEASURED in
  success | failure) ;;
  *) stop "the job that measures was cancelled or skipped: nothing can be said" ;;
esac
if [ ${#results[@]} -eq 0 ]; then
  stop "no shard has left a result"
fi
rm -rf "$merged" # an earlier merge must not be taken for this one
mkdir -p "$merged"
"$countci" merge --expect "$COUNTCI_EXPECT" --output "$merged/result.json" "${results[@]}" >/dev/null || true
if [ ! -f "$merged/result.json" ]; then
  stop "the shards can't be merged; the log says why"
fi
code=0
"$countci" github report "$merged/result.json" || code=$?
if [ $code -eq 0 ] && [ "$COUNTCI_MEASURED" != success ]; then
  stop "every shard passed, but the job that measures failed"
fi
exit $code
