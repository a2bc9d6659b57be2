import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from '../daemon.ts';
import { privateCopy } from '../private-copy.ts';
import type { NameServer } from '../world/zone.ts';
import { writeZoneFiles } from './files.ts';

/** BIND as an authoritative server. Its address has to be configured on an interface. */
export async function configureBind(server: NameServer, directory: string): Promise<Command> {
  const zones = await writeZoneFiles(directory, server.zones);
  const config = `
options {
  directory "${directory}";
  pid-file none; lock-file none; session-keyfile none;
  listen-on { ${server.address}; }; listen-on-v6 { none; };
  recursion no; notify no; allow-transfer { none; }; check-integrity no;
};
controls { };
${zones.map((zone) => `zone "${zone.origin}" { type primary; file "${zone.file}"; };`).join('\n')}
`;
  const file = join(directory, 'named.conf');
  await writeFile(file, config);
  const program = await privateCopy('/usr/sbin/named', directory);
  return { program, args: ['-g', '-4', '-n', '1', '-c', file] };
}
