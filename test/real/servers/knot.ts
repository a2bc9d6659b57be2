import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from '../daemon.ts';
import type { NameServer } from '../world/zone.ts';
import { writeZoneFiles } from './files.ts';

/** Knot DNS. */
export async function configureKnot(server: NameServer, directory: string): Promise<Command> {
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
