#!/bin/sh
# Runs the real-server suite (as root, after install-packages.sh and a build). It gets a network and
# processes of its own: every address and port 53 are free there, nothing that runs on this machine is
# met, and nothing outlives the suite.
set -eu

if [ "${1-}" != inside ]; then
  exec unshare --net --pid --fork --kill-child --mount-proc "$0" inside
fi

ip link set lo up
cd "$(dirname "$0")/../.."
results=$(mktemp)
trap 'rm -f "$results"' EXIT

status=0
npx --no-install tap --timeout=600 --output-file="$results" test/real/suite.real.ts || status=$?

# The last line counts the assertions, and says so if the run failed without a failed one.
count() {
  sed -n "s/^# {.* $1: \([0-9]*\).*/\1/p" "$results"
}
passed=$(count pass)
failed=$(count fail)
[ "$status" -eq 0 ] || [ "${failed:-0}" -gt 0 ] || failed=1
echo "${passed:-0} passed, ${failed:-0} failed"
exit "$status"
