import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, privateCopy, run } from '../daemon.ts';
import type { Place, ResolverSoftware } from './resolver.ts';

/** BIND as a resolver. Its address has to be configured on an interface. */
export const bind: ResolverSoftware = bindWith('BIND', '');

/** BIND with a statement more in its options. */
export function bindWith(name: string, setting: string): ResolverSoftware {
  return { name, configure: (place) => configure(place, setting), cold: { by: 'flush', flush } };
}

/** Of a control channel that only this machine's loopback can reach, in a network of the suite's own. */
const key = `key "rndc" { algorithm hmac-sha256; secret "c3VpdGUgb2YgcmVhbCByZXNvbHZlcnM="; };`;

async function configure(
  { address, directory, rootHints, trustAnchors }: Place,
  setting: string,
): Promise<Command> {
  const config = `
${key}
controls { inet ${address} port 953 allow { any; } keys { "rndc"; }; };
options {
  directory "${directory}";
  pid-file none; lock-file none; session-keyfile none;
  listen-on { ${address}; }; listen-on-v6 { none; };
  recursion yes; allow-query { any; }; allow-recursion { any; };
  dnssec-validation ${trustAnchors === undefined ? 'no' : 'yes'}; empty-zones-enable no;
  ${setting}
};
${await anchorStatement(trustAnchors)}
zone "." { type hint; file "${rootHints}"; };
`;
  const file = join(directory, 'named.conf');
  await writeFile(file, config);
  await writeFile(
    rndcConfig(directory),
    `${key}\noptions { default-key "rndc"; default-server ${address}; };\n`,
  );
  const program = await privateCopy('/usr/sbin/named', directory);
  return { program, args: ['-g', '-4', '-n', '1', '-c', file] };
}

async function anchorStatement(trustAnchors: string | undefined): Promise<string> {
  if (trustAnchors === undefined) return '';
  const records = (await readFile(trustAnchors, 'utf8')).trim().split('\n');
  const anchors = records.map((record) =>
    record.replace(/^\. IN DS (\d+ \d+ \d+) (.*)$/, '. static-ds $1 "$2";'),
  );
  return `trust-anchors { ${anchors.join(' ')} };`;
}

async function flush({ directory }: Place): Promise<void> {
  await run({ program: '/usr/sbin/rndc', args: ['-c', rndcConfig(directory), 'flush'] });
}

function rndcConfig(directory: string): string {
  return join(directory, 'rndc.conf');
}
