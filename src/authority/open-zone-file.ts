/* Reads zone files from disk. */

import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { octetsText } from '../base/octets.ts';
import { systemWords } from '../base/system-errors.ts';
import { decimalEscape, type Name, withoutFinalDot } from '../dns/name.ts';
import { ZoneFileError } from './entries.ts';
import { presignedZoneOf } from './presigned.ts';
import type { Zone } from './zone.ts';
import type { ZoneFault } from './zone-fault.ts';
import { faultsOf } from './zone-faults.ts';
import { type Include, readZoneFile } from './zone-file.ts';

/** The most octets of a zone file, with all that it includes. */
export const MOST_ZONE_OCTETS = 64 * 1_024 * 1_024;

/** The most files that a zone file includes, with those that these include. */
const MOST_FILES = 1_000;

/** A zone, as its file has it. */
interface OpenedZone {
  readonly zone: Zone;
  readonly faults: readonly ZoneFault[];
}

/** A zone file that was read. */
interface ZoneSource {
  /** As it was named; absent: it is no file, so that nothing can be included. */
  readonly path?: string;
  readonly octets: Uint8Array;
}

/**
 * The zone of a file. $INCLUDE takes files below the folder of the zone file, wherever links lead. Throws ZoneFileError for
 * what is no zone file, or that of another zone. `now`: in milliseconds since 1970.
 */
export function openZone(apex: Name, { path, octets }: ZoneSource, now: number): OpenedZone {
  const file = path ?? 'stdin';
  const include = path === undefined ? NOT_FROM_STDIN : includeBelow(dirname(path), octets.length);
  const records = readZoneFile(textOf(octets), { origin: apex, file, include });
  const found = presignedZoneOf(records, file);
  const { zone } = found;
  if (zone.apex !== apex)
    throw new ZoneFileError(`this is the zone ${withoutFinalDot(zone.apex)}, not ${withoutFinalDot(apex)}`, {
      file,
      line: zone.soa.line ?? 1,
    });
  const faults = faultsOf(found, now).map(({ file: at, ...fault }) =>
    at === undefined || at === file ? fault : { ...fault, file: at },
  );
  return { zone, faults };
}

/** The text of a zone file. If it is no UTF-8, octets beyond ASCII are escaped (RFC 1035 5.1). */
export function textOf(octets: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(octets);
  } catch {
    const text = new TextDecoder('latin1').decode(octets);
    return text.replace(/[^\0-\x7f]/g, (octet) => decimalEscape(octet.charCodeAt(0)));
  }
}

const NOT_FROM_STDIN: Include = () => ({ refused: '$INCLUDE is for files, not for the standard input' });

function includeBelow(folder: string, octets: number): Include {
  let left = MOST_ZONE_OCTETS - octets;
  let files = 0;
  return (path) => {
    files += 1;
    if (files > MOST_FILES) return { refused: `the zone includes more than ${MOST_FILES} files` };
    const file = isAbsolute(path) ? path : join(folder, path);
    try {
      const way = relative(realpathSync(folder), realpathSync(file));
      if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
        return { refused: `"${path}" is not below the folder of the zone file` };
      const found = statSync(file);
      if (!found.isFile()) return { refused: `"${path}" is not a file` };
      const { size } = found;
      if (size > left)
        return { refused: `with "${path}" the zone has more than ${octetsText(MOST_ZONE_OCTETS)}` };
      left -= size;
      return { text: textOf(readFileSync(file)), file };
    } catch (error) {
      return { refused: `cannot read "${path}": ${systemWords(error) ?? 'unknown error'}` };
    }
  };
}
