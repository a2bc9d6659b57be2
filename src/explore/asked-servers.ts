import { getOrMake } from '../base/memo.ts';
import type { Question } from '../dns/message.ts';
import { isAtOrBelow, isBelow, labelCount, type Name, ROOT } from '../dns/name.ts';
import type { Exchanged } from '../exchange/exchanged.ts';
import { queryKey } from '../exchange/query.ts';
import { meaningFor } from './classify.ts';
import { givesOrDenies } from './meaning.ts';
import type { Recording } from './recording.ts';
import type { ReplayedExploration } from './replayed-exploration.ts';

/**
 * The servers that the main walk comes to and that were asked, root servers excepted: they are watched over
 * well enough, and every traversal comes to them.
 */
export function askedServers(
  { scope, exchanges, unasked }: Recording,
  known: ReplayedExploration,
): readonly AskedServer[] {
  const heard = new Map<string, Exchanged[]>();
  for (const [key, one] of exchanges) {
    if (!unasked.has(key)) getOrMake(heard, one.address, () => []).push(one);
  }
  const zones = new Map<string, Name[]>();
  for (const { zone, addresses } of known.mainZones) {
    for (const address of addresses) getOrMake(zones, address, () => []).push(zone);
  }
  return [...zones].flatMap(([address, served]) => {
    const [zone, ...above] = served.sort(deepestFirst);
    const said = heard.get(address);
    if (zone === undefined || said === undefined || served.includes(ROOT)) return [];
    const { names } = known.names.of(address);
    return [{ address, zones: [zone, ...above], names, heard: said, question: scope.question }];
  });
}

/** A server of zones on the main walk at one address, and everything heard from there. */
export interface AskedServer {
  readonly address: string;
  /** The zones, the deepest first. */
  readonly zones: readonly [Name, ...Name[]];
  /** Its names, as far as they are shown. */
  readonly names: readonly Name[];
  readonly heard: readonly Exchanged[];
  /** The question of the traversal. */
  readonly question: Question;
}

function deepestFirst(a: Name, b: Name): number {
  return labelCount(b) - labelCount(a) || (a < b ? -1 : 1);
}

/** The deepest of its zones that the server serves, as its SOA record there shows. */
export function servedZone({ address, zones, heard }: AskedServer): Name | undefined {
  const byKey = new Map(heard.map((one) => [queryKey(one), one]));
  return zones.find((zone) => {
    const exchanged = byKey.get(queryKey({ address, question: soaQuestion(zone) }));
    return exchanged !== undefined && meaningFor(exchanged, zone).kind === 'answer';
  });
}

/** The question that every server of a zone can answer shortly. */
export function soaQuestion(zone: Name): Question {
  return { name: zone, type: 'SOA' };
}

/** The first, so the deepest, of a server's zones that a name is in. */
export function zoneOf({ zones }: { readonly zones: readonly Name[] }, name: Name): Name | undefined {
  return zones.find((zone) => isAtOrBelow(name, zone));
}

/** What a reply says of the name asked, whatever the type. */
export type Existence = 'exists' | 'denied';

/** What a reply says with authority of the name asked, which must lie below the zone; undefined if nothing. */
export function existenceIn(exchanged: Exchanged, zone: Name): Existence | undefined {
  if (!isBelow(exchanged.question.name, zone) || !isAuthoritative(exchanged)) return undefined;
  const meaning = meaningFor(exchanged, zone);
  if (!givesOrDenies(meaning)) return undefined;
  switch (meaning.kind) {
    case 'nxdomain':
      return 'denied';
    case 'nodata':
      return 'exists';
    case 'answer':
    case 'alias':
    case 'alias-loop':
      return isRedirected(exchanged) ? undefined : 'exists';
  }
}

/** Without the AA bit a reply is hearsay, which may be of another age. */
function isAuthoritative({ outcome }: Exchanged): boolean {
  return outcome.kind === 'reply' && outcome.flags.includes('aa');
}

/** A DNAME says nothing of the names below its owner (RFC 6672 2.3). */
function isRedirected({ outcome }: Exchanged): boolean {
  return outcome.kind === 'reply' && outcome.answer.some(({ type }) => type === 'DNAME');
}
