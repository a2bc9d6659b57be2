import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from '../daemon.ts';
import { privateCopy } from '../private-copy.ts';
import type { Place, ResolverSoftware } from './resolver.ts';

/** Unbound. A reload keeps round-trip times, so only a restart is cold. */
export const unbound: ResolverSoftware = { name: 'unbound', configure, cold: { by: 'restart' } };

async function configure({ address, directory, rootHints }: Place): Promise<Command> {
  const config = `
server:
  interface: ${address}
  access-control: 127.0.0.0/8 allow
  do-ip6: no
  do-daemonize: no
  username: ""
  chroot: ""
  directory: "${directory}"
  pidfile: ""
  use-syslog: no
  root-hints: "${rootHints}"
  module-config: "iterator"
  do-not-query-localhost: no
  local-zone: "test." nodefault
remote-control:
  control-enable: no
`;
  const file = join(directory, 'unbound.conf');
  await writeFile(file, config);
  const program = await privateCopy('/usr/sbin/unbound', directory);
  return { program, args: ['-d', '-p', '-c', file] };
}
