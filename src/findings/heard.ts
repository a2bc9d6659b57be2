import type { Exchanged, Try } from '../exchange/exchanged.ts';
import { givesOrDenies, isUsable, type Meaning } from '../explore/meaning.ts';
import { meaningFor } from '../explore/meaning-for.ts';
import type { ResourceRecord } from '../wire/record.ts';
import type { Heard } from './evidence.ts';

/** Whether the reply gives data or denies it, rather than referring on or failing. */
export function isFinal({ meaning }: Heard): boolean {
  return givesOrDenies(meaning);
}

/** What the server itself says, whatever is planned to take the place of that: svc-model(7), WHAT IF. */
export function saidItself({ exchanged, zone }: Heard): Meaning {
  return meaningFor(exchanged, zone);
}

/** The exchanges alone. */
export function exchangesOf(heard: readonly Heard[]): readonly Exchanged[] {
  return heard.map(({ exchanged }) => exchanged);
}

/** Whether a reply came and has the flag. */
export function hasFlag({ exchanged }: Heard, flag: 'aa' | 'ra'): boolean {
  return exchanged.outcome.kind === 'reply' && exchanged.outcome.flags.includes(flag);
}

/** The SOA records that show which zone a denial comes from (RFC 2308 2). */
export function soasOf({ exchanged: { outcome } }: Heard): readonly ResourceRecord[] {
  if (outcome.kind !== 'reply') return [];
  return outcome.authority.filter((record) => record.type === 'SOA' && record.class === undefined);
}

/** Whether the reply denies the name or the type. */
export function isNegative({ meaning }: Heard): boolean {
  return meaning.kind === 'nxdomain' || meaning.kind === 'nodata';
}

/** System error codes that say something of the other side. All others are trouble of this host. */
const NETWORK_SAYS: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
]);

/** Whether a query was sent and nothing at all came back from the server. */
export function isLost({ outcome, ignored }: Try): boolean {
  if (ignored.length > 0) return false;
  return outcome.kind === 'timeout' || (outcome.kind === 'unreachable' && NETWORK_SAYS.has(outcome.code));
}

/** Whether the other side refused a connection or broke it off. */
export function isTurnedAway({ outcome }: Try): boolean {
  return outcome.kind === 'closed' || (outcome.kind === 'unreachable' && REFUSALS.has(outcome.code));
}

const REFUSALS: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE']);

/** Whether the server sent something, usable or not. */
export function isAnswered({ outcome, ignored }: Try): boolean {
  return outcome.kind === 'reply' || outcome.kind === 'case-mismatch' || ignored.length > 0;
}

/** Whether this host could not even send: a local firewall, no address to send from. */
export function isOwnTrouble({ outcome }: Try): boolean {
  return outcome.kind === 'unreachable' && !NETWORK_SAYS.has(outcome.code);
}

/** The tries over one transport. */
export function triesOver(transport: Try['transport'], { tries }: Exchanged): readonly Try[] {
  return tries.filter((one) => one.transport === transport);
}

/** Whether the first query, over UDP, brought a whole reply that is usable, and nothing came before it. */
export function isSmooth({ exchanged: { tries }, meaning }: Heard): boolean {
  const [first] = tries;
  if (first === undefined || tries.length > 1) return false;
  const { transport, outcome, ignored } = first;
  const isWhole = outcome.kind === 'reply' && !outcome.truncated;
  return isWhole && transport === 'udp' && ignored.length === 0 && isUsable(meaning.kind);
}

/** Whether the server serves the zone: what it said is usable to a resolver. */
export function isWorking({ meaning }: Heard): boolean {
  return isUsable(meaning.kind);
}
