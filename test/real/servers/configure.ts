import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from '../daemon.ts';
import { privateCopy } from '../private-copy.ts';
import type { NameServer } from '../world/zone.ts';
import { writeZoneFiles } from './files.ts';
import { configurePowerdns } from './powerdns.ts';

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
