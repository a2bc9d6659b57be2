import { comparableData, type Records } from '../dns/record.ts';
import { serversKey } from './delegation.ts';
import type { Meaning } from './meaning.ts';

/** Whether it makes no difference to users which of two servers of a zone replies: both say the same, and it is of use. */
export function saysTheSame(one: Meaning, other: Meaning): boolean {
  switch (one.kind) {
    case 'answer':
      return other.kind === one.kind && areAlike(one.records, other.records);
    case 'alias':
      return other.kind === one.kind && one.target === other.target;
    case 'referral':
      return other.kind === one.kind && serversKey(one.delegation) === serversKey(other.delegation);
    case 'nxdomain':
    case 'nodata':
      return other.kind === one.kind;
    case 'alias-loop':
    case 'lame':
    case 'error':
    case 'malformed':
    case 'unreachable':
    case 'timeout':
      return false;
  }
}

function areAlike(one: Records, other: Records): boolean {
  const data = new Set(one.map(comparableData));
  const others = new Set(other.map(comparableData));
  return data.size === others.size && [...data].every((text) => others.has(text));
}
