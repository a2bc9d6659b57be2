import { type End, unexamined } from '../evaluate/end.ts';

/** What an end means to users when it is looked at by itself. */
export type EndBearing =
  /** An answer, or a server's word that there is none. */
  | 'ends-well'
  | 'fails'
  /** A limit, or a special-purpose address, left it unexamined. */
  | 'unknown';

/** What something means to paths: they go on, or end in one of these ways. */
export type Bearing =
  | EndBearing
  | 'leads-on'
  /** Another answer than most paths get. */
  | 'differs'
  /** No such name or record, where other paths get an answer. */
  | 'denies';

/** What an end means by itself. */
export function bearingOf(end: End): EndBearing {
  if (unexamined(end) !== undefined) return 'unknown';
  switch (end.kind) {
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
    case 'alias-loop':
    case 'loop':
    case 'no-glue':
    case 'unresolvable-ns':
      return 'fails';
    case 'blocked':
    case 'pending':
    case 'depth-limit':
    case 'query-limit':
    case 'time-limit':
    case 'work-limit':
      return 'unknown';
  }
}

/** What tells trouble apart without a colour. */
export const MARKS: Readonly<Record<Bearing, string>> = {
  'leads-on': '',
  'ends-well': '',
  differs: '≠',
  denies: '≠',
  fails: '✗',
  unknown: '?',
};
