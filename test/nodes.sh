#!/bin/sh
# Runs the packed package, and the tests of what depends on the platform, with the other versions of Node than the
# one that runs this. They come from the registry.
set -eu
cd "$(dirname "$0")/.."

# What only computes is the same with each version. Most of what depends on the platform differs between the oldest and the
# newest: the version between them runs what uses sockets and threads.
versions='20 22 24'
sockets_and_threads='
  test/exchange
  test/traversal/kept-records.test.ts
  test/traversal/pool.test.ts
  test/service/renderer.test.ts
  test/traversal/threads.test.ts
  test/traversal/traverse-name.test.ts
  test/cli/client.test.ts
  test/cli/hostile-service.test.ts'
processes_servers_and_files='
  test/cli/main.test.ts
  test/dns/dnssec/verify.test.ts
  test/service/http
  test/service/descriptors.test.ts
  test/service/serve.test.ts
  test/service/service.test.ts
  test/service/jobs/persistence.test.ts
  test/service/store/start.test.ts'

suites_for() {
  case $1 in
  22) echo "$sockets_and_threads" ;;
  *) echo "$sockets_and_threads $processes_servers_and_files" ;;
  esac
}

own=$(node -p 'process.versions.node.split(".")[0]')

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tarball=$(npm pack --silent --pack-destination "$folder")
octets=$(tar -tvzf "$folder/$tarball" | awk '{ sum += $3 } END { print sum }')
echo "$octets octets"
[ "$octets" -lt 3000000 ]
path=$PATH
quietly='--silent --no-audit --no-fund'

for version in $versions; do
  [ "$version" != "$own" ] || continue
  # shellcheck disable=SC2086 # several words
  npm install $quietly --prefix "$folder/$version" "node@$version"
  PATH="$folder/$version/node_modules/node/bin:$path"
  export PATH
  echo "== Node $(node --version)"
  # shellcheck disable=SC2086
  npm install $quietly --prefix "$folder/$version" "$folder/$tarball"
  svc="$folder/$version/node_modules/.bin/svc"
  "$svc" --version
  "$svc" traverse www.shop.example --demo --check
  "$svc" servers www.shop.example --demo >/dev/null
  # shellcheck disable=SC2046
  node test/run.js $(suites_for "$version")
done
