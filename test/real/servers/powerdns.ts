import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from '../daemon.ts';
import type { NameServer } from '../world/zone.ts';
import { writeZoneFiles } from './files.ts';
import { rememberSigning } from './powerdns-keys.ts';

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
