#!/bin/sh
# Runs the real-server suite (as root, after install-packages.sh and a build), or with the argument "long" what takes
# hours, its files side by side. With "measure" and a name it measures a resolver and writes its profile, as
# profiles/measure.ts says; with "hold" it compares resolvers with their profiles, as profiles/hold.ts says. Whatever runs
# has a network and processes of its own: every address and port 53 are free there, nothing that runs on this machine is
# met, and nothing outlives the suite, however it ends.
set -eu

kind=${1-real}
timeout=600
[ "$kind" = real ] || timeout=72000

if [ "${2-}" = inside ]; then
  shift 2
  ip link set lo up
  node test/run.js --timeout=$timeout --jobs=1 "$@" && echo 0 >"$TMPDIR/status"
  exit
fi

cd "$(dirname "$0")/../.."
case $kind in
hold | measure)
  shift
  exec unshare --net --pid --fork --kill-child --mount-proc \
    sh -c '
      ip link set lo up
      # Addresses of IPv6 for the lab, and for resolvers; and servers that drop what comes over TCP.
      ip -6 route add local fd53::/16 dev lo
      ip -6 address add fd53:1::1 dev lo
      sysctl -q -w net.ipv6.ip_nonlocal_bind=1
      nft -f - <<END
table inet lab {
  chain in { type filter hook input priority 0; ip daddr 127.200.0.0/14 tcp dport 53 drop; }
}
END
      exec node test/program.js "real/profiles/$0" -- "$@"' "$kind" "$@"
  ;;
esac
# Once, rather than in each of the places.
node test/compile.js
places=$(mktemp -d)
# PostgreSQL does not run as root, and has its folder here, too.
chmod 755 "$places"
runs=
tails=
count=0
trap 'rm -rf "$places"' EXIT
trap 'kill -KILL $runs; exit 130' INT
trap 'kill -KILL $runs; exit 143' TERM

# Runs files in a place of their own. Its name is short: a socket's path may have 107 octets.
begin() {
  place=$places/$((count += 1))
  mkdir -m 1777 "$place"
  : >"$place/log"
  TMPDIR=$place unshare --net --pid --fork --kill-child --mount-proc \
    sh test/real/run.sh "$kind" inside "$@" >"$place/log" &
  runs="$runs $!"
  tail -n +1 -f --pid=$! "$place/log" &
  tails="$tails $!"
}

if [ "$kind" = real ]; then
  # Its zones and resolvers wait as long as those of all others together.
  begin test/real/signed.real.ts
  others=
  for file in test/real/*.real.ts; do [ "$file" = test/real/signed.real.ts ] || others="$others $file"; done
  # shellcheck disable=SC2086 # several words
  begin $others
else
  for file in test/real/*."$kind".ts; do begin "$file"; done
fi
for run in $runs $tails; do wait "$run" || true; done

# The last line counts the assertions, and says so if a run failed without a failed one.
total() {
  sed -n "s/^\([0-9]*\) passed, \([0-9]*\) failed$/\\$1/p" "$places"/*/log | awk '{ sum += $1 } END { print sum + 0 }'
}
passed=$(total 1)
failed=$(total 2)
broken=0
for place in "$places"/*; do [ -e "$place/status" ] || broken=1; done
[ "$failed" -gt 0 ] || failed=$broken
echo "$passed passed, $failed failed"
[ $broken -eq 0 ]
