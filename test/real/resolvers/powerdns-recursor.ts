import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from '../daemon.ts';
import type { Place, ResolverSoftware } from './resolver.ts';

/** PowerDNS Recursor. Wiping the cache keeps the speeds of servers, so only a restart is cold. */
export const powerdnsRecursor: ResolverSoftware = {
  name: 'PowerDNS Recursor',
  configure,
  cold: { by: 'restart' },
};

async function configure({ address, directory, rootHints }: Place): Promise<Command> {
  const config = `
local-address=${address}
allow-from=127.0.0.0/8
query-local-address=0.0.0.0
dont-query=
hint-file=${rootHints}
dnssec=off
socket-dir=${directory}
security-poll-suffix=
disable-syslog=yes
threads=1
`;
  await writeFile(join(directory, 'recursor.conf'), config);
  return { program: '/usr/sbin/pdns_recursor', args: [`--config-dir=${directory}`, '--daemon=no'] };
}
