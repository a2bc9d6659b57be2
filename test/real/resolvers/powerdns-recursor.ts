import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from '../daemon.ts';
import type { Place, ResolverSoftware } from './resolver.ts';

/** PowerDNS Recursor. */
export const powerdnsRecursor = recursorWith('PowerDNS Recursor', '');

/** PowerDNS Recursor that forgets the parent's NS records when it learns the zone's own. */
export const powerdnsWithoutParentSets = recursorWith(
  'PowerDNS Recursor with save-parent-ns-set=no',
  'save-parent-ns-set=no',
);

/** Wiping the cache keeps the speeds of servers, so only a restart is cold. */
function recursorWith(name: string, setting: string): ResolverSoftware {
  return { name, configure: (place) => configure(place, setting), cold: { by: 'restart' } };
}

async function configure(
  { address, directory, rootHints, trustAnchors }: Place,
  setting: string,
): Promise<Command> {
  const config = `
local-address=${address}
allow-from=127.0.0.0/8
query-local-address=0.0.0.0
dont-query=
hint-file=${rootHints}
dnssec=${trustAnchors === undefined ? 'off' : 'validate'}
${await anchorSettings(trustAnchors, directory)}
socket-dir=${directory}
security-poll-suffix=
disable-syslog=yes
threads=1
${setting}
`;
  await writeFile(join(directory, 'recursor.conf'), config);
  return { program: '/usr/sbin/pdns_recursor', args: [`--config-dir=${directory}`, '--daemon=no'] };
}

/** Trust anchors are set by a file in Lua; those built in have to go first. */
async function anchorSettings(trustAnchors: string | undefined, directory: string): Promise<string> {
  if (trustAnchors === undefined) return '';
  const records = (await readFile(trustAnchors, 'utf8')).trim().split('\n');
  const added = records.map((record) => `addTA('.', '${record.replace(/^\. IN DS /, '')}')`);
  const file = join(directory, 'anchors.lua');
  await writeFile(file, `clearTA('.')\n${added.join('\n')}\n`);
  return `lua-config-file=${file}`;
}
