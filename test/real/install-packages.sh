#!/bin/sh
# Installs what the tests run besides Node (Debian 12, as root): for the real suite four authoritative
# servers, the tools that sign their zones, four resolvers and Graphviz; shells for the completions,
# mandoc for the man pages, a browser with letters for the page, the store of the service, and proxies for it; and a folder
# with the resolvers of Debian 13. Safe to repeat. No daemon is started, now or at the next boot: the suite starts its own,
# with its own configuration.
set -eu

packages='bind9 bind9-utils nsd knot knot-dnssecutils pdns-server pdns-backend-bind
  unbound knot-resolver pdns-recursor bind9-dnsutils iproute2 graphviz zsh fish mandoc
  chromium fonts-dejavu-core postgresql postgresql-common nginx-light caddy openssl mmdebstrap nftables'
units='named.service nsd.service knot.service pdns.service unbound.service
  kresd.target kres-cache-gc.service pdns-recursor.service postgresql.service
  nginx.service caddy.service nftables.service'

missing=''
for package in $packages; do
  dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed ||
    missing="$missing $package"
done

# The next release's resolvers need its C library: they run there, by chroot.
make_trixie() {
  root=/var/lib/dns-traversal-real/trixie
  [ ! -d "$root" ] || return 0
  rm -rf "$root.new"
  mkdir -p "${root%/*}"
  mmdebstrap --quiet --variant=apt --aptopt='APT::Install-Recommends "false"' \
    --include=bind9,unbound,knot-resolver,pdns-recursor,hickory-dns trixie "$root.new"
  mv "$root.new" "$root"
}

if [ -z "$missing" ]; then
  make_trixie
  exit
fi

# invoke-rc.d and deb-systemd-invoke start nothing while this says 101.
policy=/usr/sbin/policy-rc.d
kept=''
if [ -e "$policy" ]; then
  kept=$(mktemp "$policy.XXXXXX")
  mv "$policy" "$kept"
fi
restore_policy() {
  rm -f "$policy"
  [ -z "$kept" ] || mv "$kept" "$policy"
}
trap restore_policy EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
printf '#!/bin/sh\nexit 101\n' >"$policy"
chmod 755 "$policy"

export DEBIAN_FRONTEND=noninteractive
apt-get update -q
# shellcheck disable=SC2086 # a list of names
apt-get install -q -y --no-install-recommends -o Dpkg::Lock::Timeout=300 -o DPkg::Options::=--force-confold $missing

# What was here before keeps its boot settings; what came now does not start at boot.
if command -v systemctl >/dev/null; then
  for unit in $units; do
    owner=$(dpkg-query -S "/lib/systemd/system/$unit" 2>/dev/null | cut -d: -f1) || continue
    case " $missing " in
    *" $owner "*) systemctl --quiet disable "$unit" 2>/dev/null || echo "could not disable $unit" >&2 ;;
    esac
  done
fi

make_trixie
