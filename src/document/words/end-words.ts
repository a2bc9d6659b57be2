import { formatDurationMs } from '../../base/duration.ts';
import { octetsText } from '../../base/octets.ts';
import { parseAddress } from '../../dns/address.ts';
import type { BogusReason } from '../../dns/dnssec/reasons.ts';
import { type Name, ROOT } from '../../dns/name.ts';
import { isGloballyReachable } from '../../dns/special-purpose.ts';
import { causeOf, type End, type EndKind, isUnknown, type UnknownEnd } from '../../evaluate/end.ts';
import type { Blocked, QueryLimit } from '../../explore/recording.ts';
import { dataOf } from '../ends.ts';
import type { ExchangeSecurity } from '../exchanges.ts';
import { listed } from './lists.ts';
import { plain, shown } from './names.ts';
import { count } from './quantities.ts';
import type { Shorten } from './shortened.ts';

/** Says in a few words how a path ended, and whether that was proven. `shorten` abbreviates the data of an answer. */
export function endWords(end: End, shorten: Shorten = (text) => text): string {
  if (isUnknown(end)) return unknownWords(end);
  const security = 'security' in end ? end.security : undefined;
  return [knownWords(end, shorten), ...(security === undefined ? [] : [security])].join(', ');
}

function knownWords(end: Exclude<End, UnknownEnd>, shorten: Shorten): string {
  switch (end.kind) {
    case 'answer':
      return [shortAnswer(end, shorten), ...authorityWords(end)].join(' ');
    case 'nodata':
      return `NODATA: the name has no ${end.question.type} record`;
    case 'nxdomain':
      return 'NXDOMAIN: no such name';
    case 'timeout':
      return 'timeout: no reply';
    case 'unreachable':
      return 'unreachable';
    case 'malformed':
      return 'malformed reply';
    case 'error':
      return `error: ${end.rcode}`;
    case 'lame':
      return `lame: ${lameWords(end)}`;
    case 'bogus':
      return `bogus: ${bogusReason(end.reason, end.zone)}`;
    case 'servfail':
    case 'alias-loop':
    case 'loop':
    case 'no-glue':
    case 'unresolvable-ns':
      return delegationWords(end);
  }
}

/** The data of an answer, with their types where all were asked for; empty for other ends. */
export function answerText(end: End): string {
  if (end.kind !== 'answer') return '';
  const data = dataOf(end.records);
  // Behind aliases that rotate a server gives its own data alone.
  if (end.varies) return `${rotationWords(data)}: ${data.join(', ')}`;
  if (end.question.type !== 'ANY') return data.join(', ');
  return end.records
    .map(({ type, data }) => `${type} ${data}`)
    .sort()
    .join(', ');
}

/** Answers that rotate are counted rather than cut off. */
function shortAnswer(end: End, shorten: Shorten): string {
  const whole = answerText(end);
  const short = shorten(whole);
  return short !== whole && end.kind === 'answer' && end.varies
    ? rotationBriefly(dataOf(end.records))
    : short;
}

/** "16 addresses, rotating": of each reply's records, which are some of these. */
export function rotationWords(data: readonly string[], how = 'rotating'): string {
  const isAll = data.every((one) => parseAddress(one) !== undefined);
  return `${isAll ? count(data.length, 'address', 'addresses') : count(data.length, 'record')}, ${how}`;
}

/** The same with some of the data: "16 addresses, rotating: 192.0.2.1, 192.0.2.2 and 14 more". */
export function rotationBriefly(data: readonly string[]): string {
  return `${rotationWords(data)}: ${listed(data, ROTATING_SHOWN)}`;
}

const ROTATING_SHOWN = 2;

/** Like `endWords`, but leaves out the name of a server without an address, so that such ends read alike. */
export function namelessEndWords(end: End, shorten?: Shorten): string {
  if (end.kind === 'unresolvable-ns') return `no address${becauseWords(end)}`;
  return end.kind === 'no-glue' ? `no glue${becauseWords(end)}` : endWords(end, shorten);
}

/** Why an end is none that helps. */
export function reasonOf(end: End): string {
  if (end.kind === 'timeout' && end.server === null) return 'nothing in time';
  const cause = causeOf(end);
  if (cause.kind === 'bogus') return bogusReason(cause.reason, cause.zone);
  if (cause.kind === 'alias-loop') return `back to ${plain(cause.target)}`;
  return cause.kind === 'servfail' ? `no usable server for ${plain(cause.zone)}` : endWords(cause);
}

/** Names a kind of end where there is room for a word or two. */
export const END_TERMS: Readonly<Record<EndKind, string>> = {
  answer: 'an answer',
  nodata: 'NODATA',
  nxdomain: 'NXDOMAIN',
  servfail: 'SERVFAIL',
  bogus: 'bogus',
  timeout: 'timeout',
  unreachable: 'unreachable',
  malformed: 'malformed reply',
  error: 'error',
  lame: 'lame',
  'alias-loop': 'alias loop',
  'unresolvable-ns': 'unresolvable name server',
  'no-glue': 'no glue',
  loop: 'loop',
  blocked: 'blocked',
  'depth-limit': 'unknown (depth limit)',
  'query-limit': 'unknown (query limit)',
  'time-limit': 'unknown (time limit)',
  'work-limit': 'unknown (evaluation limit)',
};

type Some<K extends EndKind> = Extract<End, { kind: K }>;

/** How a path ends that leads to no server, or to none that helps. */
function delegationWords(
  end: Some<'servfail' | 'alias-loop' | 'loop' | 'no-glue' | 'unresolvable-ns'>,
): string {
  switch (end.kind) {
    case 'servfail':
      return end.cause === undefined
        ? `SERVFAIL: no usable server for ${shown(end.zone)}`
        : `SERVFAIL at ${shown(end.zone)}${causeWords(end)}`;
    case 'alias-loop':
      return `alias loop: back to ${shown(end.target)}`;
    case 'loop':
      return `loop: the lookup leads back to ${shown(end.nameserver)}`;
    case 'no-glue':
      return `no glue for ${shown(end.nameserver)}${causeWords(end)}`;
    case 'unresolvable-ns':
      return `no address for ${shown(end.nameserver)}${causeWords(end)}`;
  }
}

function unknownWords(end: UnknownEnd): string {
  switch (end.kind) {
    case 'blocked':
      return `blocked: not asked, ${BLOCKED_WORDS[whyBlocked(end)]}`;
    case 'depth-limit':
      return `unknown: depth limit of ${end.limit} reached`;
    case 'query-limit':
      return `unknown: limit of ${queryLimitWords(end)} reached`;
    case 'time-limit':
      return end.reason === undefined
        ? `unknown: time limit of ${formatDurationMs(end.limit)} reached`
        : 'unknown: cancelled before this was answered';
    case 'work-limit':
      return `unknown: evaluation limit of ${end.limit} steps reached`;
  }
}

const BLOCKED_WORDS: Readonly<Record<BlockedReason, string>> = {
  denied: 'on the deny list',
  'special-purpose': 'a special-purpose address',
};

function authorityWords({ authoritative }: Some<'answer'>): readonly string[] {
  return authoritative ? [] : ['(not authoritative)'];
}

function lameWords({ reason, referredTo }: Some<'lame'>): string {
  switch (reason) {
    case 'upward':
      return `refers up to ${zoneWords(referredTo, 'a zone above')}`;
    case 'self':
      return 'refers to the zone that it was asked about';
    case 'sideways':
      return `refers to ${zoneWords(referredTo, 'another zone')}, off the way`;
    case 'empty':
      return 'empty reply, not authoritative';
  }
}

function zoneWords(zone: Name | undefined, unknown: string): string {
  return zone === ROOT ? 'the root' : (zone ?? unknown);
}

interface Caused {
  readonly cause?: End;
}

function causeWords({ cause }: Caused): string {
  return cause === undefined ? '' : ` (${endWords(cause)})`;
}

function becauseWords({ cause }: Caused): string {
  return cause === undefined ? '' : `: ${endWords(cause)}`;
}

/** How much a query limit allows: "5000 queries", "512 KiB of large replies". */
export function queryLimitWords({ limit, unit }: Pick<QueryLimit, 'limit' | 'unit'>): string {
  if (unit === undefined) return `${limit} queries`;
  switch (unit) {
    case 'packets':
      return `${limit} packets`;
    case 'octets':
      return `${octetsText(limit)} of large replies`;
  }
}

/** Why policy forbids asking an address: for what it is, or because something is on somebody's list. */
export function whyBlocked({ reason, server }: BlockedEnd): BlockedReason {
  if (reason !== undefined) return reason;
  // An earlier version wrote it.
  return server !== null && isGloballyReachable(server.address) ? 'denied' : 'special-purpose';
}

/** Why policy forbids asking an address. */
export type BlockedReason = NonNullable<Blocked['reason']>;

interface BlockedEnd extends Pick<Blocked, 'reason'> {
  readonly server: { readonly address: string } | null;
}

/** What a validating resolver makes of a reply, in words. */
export interface SecurityWords {
  /** "secure", "insecure", "bogus", "secure or bogus" where it depends on what the resolver learnt before. */
  readonly verdict: string;
  /** Why it is bogus: "the signature has expired". */
  readonly reason?: string;
}

/** Undefined where nothing is known. The zone is that of the records, where it is known. */
export function securityWords(
  security: ExchangeSecurity | undefined,
  zone: Name | undefined,
): SecurityWords | undefined {
  switch (security?.status) {
    case undefined:
    case 'unknown':
      return undefined;
    case 'secure':
    case 'insecure':
      return { verdict: security.status };
    case 'bogus': {
      const { reason, otherwise } = security;
      const verdict = otherwise === undefined ? 'bogus' : `${otherwise} or bogus`;
      return reason === undefined ? { verdict } : { verdict, reason: bogusReason(reason, zone) };
    }
  }
}

/** Says in a few words why records of a zone do not verify: trust anchors are to the root what DS records are to others. */
export function bogusReason(reason: BogusReason, zone: Name | undefined): string {
  return zone === ROOT && reason === 'no-matching-ds' ? 'no key fits the trust anchors' : BOGUS_WORDS[reason];
}

const BOGUS_WORDS: Readonly<Record<BogusReason, string>> = {
  'no-signature': 'not signed',
  'wrong-signer': 'signed by another zone',
  'unsupported-algorithm': 'signed with an algorithm that is not supported',
  'wrong-key': 'signed with a key that is not among those fetched',
  'not-yet-valid': 'the signature is not valid yet',
  expired: 'the signature has expired',
  'bad-signature': 'the signature does not fit the data',
  'no-proof': 'no proof of what is denied',
  'no-matching-ds': 'no key fits the DS records of the parent',
  'no-keys': 'the zone has no DNSKEY records',
};
