/**
 * Reads DS and DNSKEY records in zone-file format (RFC 1035 5.1): `owner [ttl] [IN] type data`, one a line or over several
 * in parentheses, comments after `;`. Throws a TrustAnchorError.
 */
export function anchorsInRecords(text: string): readonly WrittenAnchor[] {
  return [...recordsIn(text)].map(({ line, words }) => {
    const [, owner = '', type = '', data = ''] = RECORD.exec(words) ?? [];
    if (type === '') throw wrongAt(line, 'not a DS or DNSKEY record, such as ". IN DS 20326 8 2 E06D..."');
    return { line, owner, type: type.toUpperCase() === 'DS' ? 'DS' : 'DNSKEY', data };
  });
}

const RECORD = /^(\S+)\s+(?:\d+\s+)?(?:IN\s+)?(?:\d+\s+)?(DS|DNSKEY)\s+(.*)$/i;

interface RecordText {
  readonly line: number;
  readonly words: string;
}

/** Each record as one line. */
function* recordsIn(text: string): Generator<RecordText> {
  let parts: string[] = [];
  let [begins, depth] = [1, 0];
  for (const [at, written] of text.split(/\r?\n/).entries()) {
    const part = written.replace(/;.*/, '');
    if (depth === 0) begins = at + 1;
    parts.push(part.replace(/[()]/g, ' '));
    depth = depthAfter(part, depth, at + 1);
    if (depth > 0) continue;
    const words = parts.join(' ').trim();
    parts = [];
    if (words !== '') yield { line: begins, words };
  }
  if (depth > 0) throw wrongAt(begins, '"(" is never closed');
}

/** How many parentheses are open after a line; if any are, the record goes on in the next line. */
function depthAfter(part: string, before: number, line: number): number {
  let depth = before;
  for (const [parenthesis] of part.matchAll(/[()]/g)) {
    depth += parenthesis === '(' ? 1 : -1;
    if (depth < 0) throw wrongAt(line, '")" without "("');
  }
  return depth;
}

/** A trust anchor as a file has it, and the line where it begins. */
export interface WrittenAnchor {
  readonly line: number;
  readonly owner: string;
  readonly type: 'DS' | 'DNSKEY';
  /** In presentation format. */
  readonly data: string;
}

/** What is wrong with trust anchors, in one line. */
export class TrustAnchorError extends Error {
  override readonly name = 'TrustAnchorError';
}

/** The error with the line where it is. */
export function wrongAt(line: number, why: string): TrustAnchorError {
  return new TrustAnchorError(`line ${line}: ${why}`);
}
