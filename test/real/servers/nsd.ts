import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from '../daemon.ts';
import type { NameServer } from '../world/zone.ts';
import { writeZoneFiles } from './files.ts';

/** NSD. Debian's has response rate limiting on by default: off here, or it drops replies. */
export async function configureNsd(server: NameServer, directory: string): Promise<Command> {
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
