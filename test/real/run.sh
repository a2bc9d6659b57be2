#!/bin/sh
# Runs the real-server suite (as root, after install-packages.sh and a build), or with the argument "long" what takes
# hours. It gets a network and processes of its own: every address and port 53 are free there, nothing that
# runs on this machine is met, and nothing outlives the suite, however it ends.
set -eu

kind=${1-real}
timeout=600
[ "$kind" = real ] || timeout=72000

if [ "${2-}" != inside ]; then
  TMPDIR=$(mktemp -d)
  export TMPDIR
  trap 'rm -rf "$TMPDIR"' EXIT
  unshare --net --pid --fork --kill-child --mount-proc "$0" "$kind" inside &
  trap 'kill -KILL $!; exit 130' INT
  trap 'kill -KILL $!; exit 143' TERM
  wait $!
  exit
fi

ip link set lo up
cd "$(dirname "$0")/../.."
{
  npx --no-install tap --timeout=$timeout --jobs=1 test/real/*."$kind".ts && echo 0 >"$TMPDIR/status"
} | tee "$TMPDIR/tap"

# The last line counts the assertions, and says so if the run failed without a failed one.
count() {
  sed -n "s/^# {.* $1: \([0-9]*\).*/\1/p" "$TMPDIR/tap"
}
passed=$(count pass)
failed=$(count fail)
[ -e "$TMPDIR/status" ] || [ "${failed:-0}" -gt 0 ] || failed=1
echo "${passed:-0} passed, ${failed:-0} failed"
[ -e "$TMPDIR/status" ]
