import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, privateCopy, run } from './daemon.ts';
import type { Denial } from './signed/signer.ts';
import type { NameServer, UpdateKey, Zone } from './world/zone.ts';

/** Writes a server's configuration and zones into `directory`; returns what runs it there. */
export function configureServer(server: NameServer, directory: string): Promise<Command> {
  switch (server.software) {
    case 'bind':
      return configureBind(server, directory);
    case 'nsd':
      return configureNsd(server, directory);
    case 'knot':
      return configureKnot(server, directory);
    case 'powerdns':
      return configurePowerdns(server, directory);
  }
}

/** NSD. Debian's has response rate limiting on by default: off here, or it drops replies. */
async function configureNsd(server: NameServer, directory: string): Promise<Command> {
  const zones = await writeZoneFiles(directory, server.zones);
  const config = `
server:
  ip-address: ${server.address}
  server-count: 1
  username: ""
  chroot: ""
  database: ""
  zonesdir: "${directory}"
  xfrdir: "${directory}"
  xfrdfile: "${directory}/xfrd.state"
  zonelistfile: "${directory}/zone.list"
  pidfile: "${directory}/nsd.pid"
  rrl-ratelimit: 0
remote-control:
  control-enable: no
${zones.map((zone) => `zone:\n  name: "${zone.origin}"\n  zonefile: "${zone.file}"`).join('\n')}
`;
  const file = join(directory, 'nsd.conf');
  await writeFile(file, config);
  return { program: '/usr/sbin/nsd', args: ['-d', '-c', file] };
}

/** Knot DNS. */
async function configureKnot(server: NameServer, directory: string): Promise<Command> {
  const zones = await writeZoneFiles(directory, server.zones);
  const config = `
server:
  listen: ${server.address}@53
  rundir: "${directory}"
  udp-workers: 1
  tcp-workers: 1
  background-workers: 1
control:
  listen: "${directory}/knot.sock"
database:
  storage: "${directory}"
log:
  - target: stderr
    any: info
template:
  - id: default
    storage: "${directory}"
    zonefile-sync: -1
    journal-content: none
zone:
${zones.map((zone) => `  - domain: "${zone.origin}"\n    file: "${zone.file}"`).join('\n')}
`;
  const file = join(directory, 'knot.conf');
  await writeFile(file, config);
  return { program: '/usr/sbin/knotd', args: ['-c', file] };
}

/** BIND as an authoritative server. Its address has to be configured on an interface. */
async function configureBind(server: NameServer, directory: string): Promise<Command> {
  const zones = await writeZoneFiles(directory, server.zones);
  const config = `
options {
  directory "${directory}";
  pid-file none; lock-file none; session-keyfile none;
  listen-on { ${server.address}; }; listen-on-v6 { none; };
  recursion no; notify no; allow-transfer { none; }; check-integrity no; check-names primary ignore;
};
controls { };
${[...new Set(zones.flatMap(({ updateKey }) => updateKey?.file ?? []))].map((file) => `include "${file}";`).join('\n')}
${zones
  .map(({ origin, file, updateKey }) => {
    const updates = updateKey === undefined ? '' : ` allow-update { key "${updateKey.name}"; };`;
    return `zone "${origin}" { type primary; file "${file}";${updates} };`;
  })
  .join('\n')}
`;
  const file = join(directory, 'named.conf');
  await writeFile(file, config);
  const program = await privateCopy('/usr/sbin/named', directory);
  return { program, args: ['-g', '-4', '-n', '1', '-c', file] };
}

/** PowerDNS Authoritative Server, on zone files (its bind backend). */
export async function configurePowerdns(server: NameServer, directory: string): Promise<Command> {
  const zones = await writeZoneFiles(directory, server.zones);
  const named = zones.map((zone) => `zone "${zone.origin}" { type master; file "${zone.file}"; };`);
  await writeFile(join(directory, 'named.conf'), `${named.join('\n')}\n`);
  const config = `
launch=bind
bind-config=${directory}/named.conf
bind-dnssec-db=${directory}/dnssec.db
local-address=${server.address}
socket-dir=${directory}
dname-processing=yes
distributor-threads=1
security-poll-suffix=
disable-syslog=yes
`;
  await writeFile(join(directory, 'pdns.conf'), config);
  await rememberSigning(directory, server.zones);
  return {
    program: '/usr/sbin/pdns_server',
    args: [`--config-dir=${directory}`, '--daemon=no', '--guardian=no'],
  };
}

/** Runs pdnsutil on a server's configuration, and returns what it printed. */
export async function pdnsutil(directory: string, args: readonly string[]): Promise<string> {
  return await run({ program: 'pdnsutil', args: [`--config-dir=${directory}`, ...args] });
}

/** The parameters of NSEC3 as pdnsutil takes them; undefined for NSEC. */
export function nsec3Text(denial: Denial): string | undefined {
  return denial.kind === 'nsec' ? undefined : `1 ${denial.optOut ? 1 : 0} ${denial.iterations} -`;
}

/** Tells a PowerDNS server, before it is started, which of its zones are signed and which it has to sign. */
async function rememberSigning(directory: string, zones: readonly Zone[]): Promise<void> {
  await pdnsutil(directory, ['create-bind-db', join(directory, 'dnssec.db')]);
  // One after the other: they write into the same database.
  for (const zone of zones) {
    if (zone.kind === 'lost' || zone.signing === undefined) continue;
    const { origin, signing } = zone;
    if (signing.kind === 'presigned') await pdnsutil(directory, ['set-presigned', origin]);
    else await importKey(directory, origin, signing.privateKey);
    if (signing.nsec3 !== undefined) await pdnsutil(directory, ['set-nsec3', origin, signing.nsec3]);
  }
}

async function importKey(directory: string, origin: string, privateKey: string): Promise<void> {
  const file = join(directory, `${origin}key`);
  await writeFile(file, privateKey);
  await pdnsutil(directory, ['import-zone-key', origin, file, 'ksk']);
}

/** A zone of a server's configuration and the file it is in, which is missing for a lost zone. */
interface ZoneFile {
  readonly origin: string;
  readonly file: string;
  readonly updateKey?: UpdateKey | undefined;
}

/** Writes the zone files into `directory`. */
async function writeZoneFiles(directory: string, zones: readonly Zone[]): Promise<readonly ZoneFile[]> {
  return await Promise.all(
    zones.map(async (zone) => {
      const file = join(directory, `${zone.origin}zone`);
      if (zone.kind === 'loaded') await writeFile(file, zone.text);
      const updateKey = zone.kind === 'loaded' ? zone.updateKey : undefined;
      return { origin: zone.origin, file, updateKey };
    }),
  );
}
