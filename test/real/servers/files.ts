import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { UpdateKey, Zone } from '../world/zone.ts';

/** A zone of a server's configuration and the file it is in, which is missing for a lost zone. */
export interface ZoneFile {
  readonly origin: string;
  readonly file: string;
  readonly updateKey?: UpdateKey | undefined;
}

/** Writes the zone files into `directory`. */
export async function writeZoneFiles(
  directory: string,
  zones: readonly Zone[],
): Promise<readonly ZoneFile[]> {
  return await Promise.all(
    zones.map(async (zone) => {
      const file = join(directory, `${zone.origin}zone`);
      if (zone.kind === 'loaded') await writeFile(file, zone.text);
      const updateKey = zone.kind === 'loaded' ? zone.updateKey : undefined;
      return { origin: zone.origin, file, updateKey };
    }),
  );
}
