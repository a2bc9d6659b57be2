import { createHash, type Hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { parseJson } from '../../shape/json.ts';

/** A file of the directory: a head, and the octets that it describes. */
export interface JobFile {
  /** Written as JSON. */
  readonly head: unknown;
  readonly octets: readonly Uint8Array[];
}

/** A file that is not what was once written. */
export class DamagedFile extends Error {
  override readonly name = 'DamagedFile';
}

/** The beginning of each file, before the digest of all that follows the first line. */
const MAGIC = 'svc-job 1 ';

/** So many octets are digested in some milliseconds. */
const OCTETS_AT_ONCE = 2 * 1024 * 1024;

/** The file as it is written: a line with a digest, the head as a line, and the octets. Other work goes on meanwhile. */
export async function jobFileOctets({ head, octets }: JobFile): Promise<readonly Uint8Array[]> {
  const content = [Buffer.from(`${JSON.stringify(head)}\n`), ...octets];
  const hash = createHash('sha256');
  let due = OCTETS_AT_ONCE;
  for (const piece of content) {
    hash.update(piece);
    due -= piece.length;
    if (due > 0) continue;
    due = OCTETS_AT_ONCE;
    await setImmediate();
  }
  return [Buffer.from(firstLine(hash)), ...content];
}

/** Reads such a file. Throws a `DamagedFile`. */
export function readJobFile(file: Buffer): { readonly head: unknown; readonly octets: Buffer } {
  const first = file.indexOf('\n') + 1;
  const content = file.subarray(first);
  if (file.toString('latin1', 0, first) !== firstLine(createHash('sha256').update(content)))
    throw new DamagedFile('its octets are not those that were written');
  const head = content.indexOf('\n') + 1;
  return { head: parseJson(content.subarray(0, head)), octets: content.subarray(head) };
}

function firstLine(hash: Hash): string {
  return `${MAGIC}${hash.digest('hex')}\n`;
}
