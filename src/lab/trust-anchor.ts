import { ROOT } from '../wire/name.ts';
import { rdataText } from '../wire/rdata/rdata.ts';
import { Reader } from '../wire/reader.ts';
import { dsRecords } from './shelf.ts';
import type { World } from './world.ts';

/** The DS records of a world's root zone, a line for each, as a file of trust anchors has them; empty if it is not signed. */
export function trustAnchorOf({ signed = {} }: World): string {
  const lines = dsRecords(ROOT, signed[ROOT]).map(
    (rdata) => `. 86400 IN DS ${rdataText('DS', 'IN', Reader.of(rdata).data(rdata.length))}\n`,
  );
  return lines.join('');
}
