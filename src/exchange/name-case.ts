import { HEADER_OCTETS } from '../wire/reader.ts';
import type { Random } from './random.ts';

/** One number is drawn for so many letters: for each it has a bit. */
const LETTERS_AT_ONCE = 32;
const [A, Z] = [0x61, 0x7a];
/** What tells a letter's cases apart. */
const CASE = 0x20;

/** Puts each letter of the question's name, all in lower case, in upper or lower case by chance (0x20). */
export function mixCase(query: Uint8Array, random: Random): void {
  const end = endOfName(query);
  let [drawn, left] = [0, 0];
  // The length of a label is never the code of a letter.
  for (let at = HEADER_OCTETS; at < end; at += 1) {
    const octet = query[at] ?? 0;
    if (octet < A || octet > Z) continue;
    if (left === 0) [drawn, left] = [random(2 ** LETTERS_AT_ONCE), LETTERS_AT_ONCE];
    if ((drawn & 1) === 1) query[at] = octet - CASE;
    drawn >>>= 1;
    left -= 1;
  }
}

/** Whether a message repeats the name of a query's question octet by octet. */
export function repeatsName(message: Uint8Array, query: Uint8Array): boolean {
  const end = endOfName(query);
  for (let at = HEADER_OCTETS; at <= end; at += 1) if (message[at] !== query[at]) return false;
  return true;
}

/** Where the question's name has its final zero. */
function endOfName(query: Uint8Array): number {
  let at = HEADER_OCTETS;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) at += 1 + length;
  return at;
}
