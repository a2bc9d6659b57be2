import type { ExchangeRow, ExchangeSecurity } from '../document/exchanges.ts';
import type { AddressRow } from '../document/steps.ts';
import type { End } from '../evaluate/end.ts';
import { getOrMake } from '../get-or-make.ts';
import type { Name } from '../wire/name.ts';
import type { Bearing, Judge } from './bearing.ts';
import { endWords } from './end-words.ts';
import type { ResultIndex } from './result-index.ts';
import { securityWords } from './words/security-words.ts';

/** What a server did when it was asked, put into words. */
export interface Account {
  readonly words: string;
  /** How the reply was obtained, and whether it verifies: "over TCP", "3 tries", "secure". */
  readonly notes: readonly string[];
  /** What a validating resolver makes of it; absent where that is not known. */
  readonly security?: ExchangeSecurity;
  readonly bearing: Bearing;
  /** Present where paths end here. */
  readonly end?: End;
}

/** Says what the server at an address did when it was asked at a step in a zone. */
export function accountAt(row: AddressRow, at: Name, index: ResultIndex, judge: Judge): Account {
  const exchange = index.exchange(row);
  const heard = exchange === undefined ? { notes: [] } : heardIn(exchange, index.security(row, at));
  const next = index.next(row.leadsTo);
  // Where the depth limit cuts a path off, the end says where it would have gone on.
  const { zone, question } = next.kind === 'step' ? next.step : next.end;
  if (next.kind === 'step' || next.end.kind === 'depth-limit') {
    if (row.class === 'referral') return { words: `referral to ${zone}`, ...heard, bearing: 'leads-on' };
    if (row.class === 'alias') return { words: `alias to ${question.name}`, ...heard, bearing: 'leads-on' };
  }
  return next.kind === 'end'
    ? { ...accountOfEnd(next.end, judge), ...heard }
    : { words: row.class ?? '', ...heard, bearing: 'unknown' };
}

/** Says how a path ended. */
export function accountOfEnd(end: End, judge: Judge): Account {
  return { words: getOrMake(wordsOfEnds, end, () => endWords(end)), notes: [], bearing: judge(end), end };
}

/**
 * What a server did means this to some users at least: a bogus reply helps nobody whose resolver validates, unless that
 * depends on what else it heard.
 */
export function bearingOfDeed({ bearing, security }: Account): Bearing {
  if (security?.status !== 'bogus') return bearing;
  return security.otherwise === undefined ? 'fails' : 'differs';
}

/** Lookups come to the same end in many places. */
const wordsOfEnds = new WeakMap<End, string>();

function heardIn(
  exchange: ExchangeRow,
  security: ExchangeSecurity | undefined,
): Pick<Account, 'notes' | 'security'> {
  const verdict = securityWords(security);
  const notes = [...notesOn(exchange), ...(verdict === undefined ? [] : [verdict])];
  return security === undefined ? { notes } : { notes, security };
}

function notesOn({ tries, transport, failureDetail }: ExchangeRow): readonly string[] {
  const [first] = tries;
  const last = tries.at(-1);
  if (first === undefined || last === undefined) return [];
  const notes = [];
  if (transport === 'tcp' && first.transport === 'udp') notes.push('over TCP');
  if (first.edns && !last.edns) notes.push('without EDNS');
  if (first.nameCase === 'mixed' && last.nameCase === 'lower') notes.push('in lower case');
  if (tries.some(({ outcome }) => outcome.kind === 'timeout')) notes.push(`${tries.length} tries`);
  return failureDetail === undefined ? notes : [...notes, SYSTEM_WORDS[failureDetail] ?? failureDetail];
}

/** Operating systems' error codes in words. */
const SYSTEM_WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'no route to network',
  EACCES: 'not permitted',
  EPERM: 'not permitted',
};
