import { causeOf, type End, type EndKind, isUnknown, isUnknownKind } from '../evaluate/end.ts';

/** What an end means to users, taken by itself. */
export type EndBearing =
  /** An answer, or an authoritative denial. */
  | 'ends-well'
  | 'fails'
  /** Unexamined because of a limit or a special-purpose address. */
  | 'unknown';

/** What something means to paths: they continue, or end in one of these ways. */
export type Bearing =
  | EndBearing
  | 'leads-on'
  /** An answer other than the one that most paths get. */
  | 'differs'
  /** No such name or record, where other paths get an answer. */
  | 'denies';

/** Says what an end means to its walk. */
export type Judge = (end: End) => Bearing;

/** What an end means by itself. */
export function bearingOf(end: End): EndBearing {
  return isUnknown(causeOf(end)) ? 'unknown' : bearingOfKind(end.kind);
}

/** What ends of a kind mean, their causes apart. */
export function bearingOfKind(kind: EndKind): EndBearing {
  if (isUnknownKind(kind)) return 'unknown';
  switch (kind) {
    case 'answer':
    case 'nodata':
    case 'nxdomain':
      return 'ends-well';
    case 'timeout':
    case 'unreachable':
    case 'malformed':
    case 'error':
    case 'lame':
    case 'servfail':
    case 'bogus':
    case 'alias-loop':
    case 'loop':
    case 'no-glue':
    case 'unresolvable-ns':
      return 'fails';
  }
}

/** Marks for readers who cannot see colours. */
export const MARKS: Readonly<Record<Bearing, string>> = {
  'leads-on': '',
  'ends-well': '',
  differs: '≠',
  denies: '≠',
  fails: '✗',
  unknown: '?',
};
