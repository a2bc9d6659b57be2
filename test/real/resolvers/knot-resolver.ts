import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from '../daemon.ts';
import type { Place, ResolverSoftware } from './resolver.ts';

/** Knot Resolver. */
export const knotResolver: ResolverSoftware = {
  name: 'Knot Resolver',
  configure,
  cold: { by: 'restart' },
};

async function configure({ address, directory, rootHints, trustAnchors }: Place): Promise<Command> {
  const config = `
net.ipv6 = false
net.listen('${address}', 53, { kind = 'dns' })
cache.open(10 * MB, 'lmdb://${directory}/cache')
cache.clear()
modules = { 'hints > iterate' }
modules.unload('ta_update')
modules.unload('ta_signal_query')
modules.unload('ta_sentinel')
modules.unload('detect_time_skew')
trust_anchors.remove('.')
${await anchorCommands(trustAnchors)}
hints.root_file('${rootHints}')
option('ALLOW_LOCAL', true)
policy.special_names = {}
`;
  const file = join(directory, 'kresd.conf');
  await writeFile(file, config);
  return { program: '/usr/sbin/kresd', args: ['-n', '-c', file, directory] };
}

async function anchorCommands(trustAnchors: string | undefined): Promise<string> {
  if (trustAnchors === undefined) return '';
  const records = (await readFile(trustAnchors, 'utf8')).trim().split('\n');
  return records.map((record) => `trust_anchors.add('${record}')`).join('\n');
}
