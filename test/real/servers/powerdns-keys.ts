import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../daemon.ts';
import type { Denial } from '../signed/signers/signer.ts';
import type { Zone } from '../world/zone.ts';

/** Runs pdnsutil on a server's configuration, and returns what it printed. */
export async function pdnsutil(directory: string, args: readonly string[]): Promise<string> {
  return await run({ program: 'pdnsutil', args: [`--config-dir=${directory}`, ...args] });
}

/** The parameters of NSEC3 as pdnsutil takes them; undefined for NSEC. */
export function nsec3Text(denial: Denial): string | undefined {
  return denial.kind === 'nsec' ? undefined : `1 ${denial.optOut ? 1 : 0} ${denial.iterations} -`;
}

/** Tells a PowerDNS server, before it is started, which of its zones are signed and which it has to sign. */
export async function rememberSigning(directory: string, zones: readonly Zone[]): Promise<void> {
  await pdnsutil(directory, ['create-bind-db', join(directory, 'dnssec.db')]);
  // One after the other: they write into the same database.
  for (const zone of zones) {
    if (zone.kind === 'lost' || zone.signing === undefined) continue;
    const { origin, signing } = zone;
    if (signing.kind === 'presigned') await pdnsutil(directory, ['set-presigned', origin]);
    else await importKey(directory, origin, signing.privateKey);
    if (signing.nsec3 !== undefined) await pdnsutil(directory, ['set-nsec3', origin, signing.nsec3]);
  }
}

async function importKey(directory: string, origin: string, privateKey: string): Promise<void> {
  const file = join(directory, `${origin}key`);
  await writeFile(file, privateKey);
  await pdnsutil(directory, ['import-zone-key', origin, file, 'ksk']);
}
