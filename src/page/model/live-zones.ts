import { type Question, questionKey } from '../../dns/message.ts';
import { isBelow, type Name, parentOf, ROOT } from '../../dns/name.ts';
import type { ExchangeEvent } from '../../document/events.ts';
import { grouped, listed } from '../../document/words/lists.ts';
import { count } from '../../document/words/quantities.ts';
import { shortening } from '../../document/words/shortened.ts';
import type { Progress } from '../../report/views/progress.ts';
import {
  eventWords,
  type SeenServer,
  type SeenZone,
  type ServerState,
  serverStatesIn,
} from '../../report/views/seen-zones.ts';

/** The zones that a traversal has come to. */
export function liveZones({ question, zones, elsewhere, waits }: Progress): LiveZones {
  const isAsked = (one: Question) => question !== undefined && questionKey(one) === questionKey(question);
  const awaited = waits.all.flatMap(({ zone, ...wait }): Awaited[] =>
    zone === undefined ? [] : [{ ...wait, zone }],
  );
  return {
    way: arranged(
      zones.all,
      awaited.filter((wait) => isAsked(wait.question)),
    ),
    elsewhere: arranged(
      elsewhere.all,
      awaited.filter((wait) => !isAsked(wait.question)),
    ),
  };
}

/** A server as a mark shows it. */
export interface LiveServer {
  readonly address: string;
  readonly name: Name | undefined;
  readonly status: ServerState | 'refers' | 'waiting';
  /** The first things it did; of `times` in all. */
  readonly did: readonly ExchangeEvent[];
  readonly times: number;
  /** Asked, and not heard yet. */
  readonly awaited: readonly Question[];
}

/** A zone cut and the servers asked there, in the order in which they were heard. */
export interface LiveZone {
  readonly zone: Name;
  /** How many of the listed zones enclose it. */
  readonly depth: number;
  readonly servers: readonly LiveServer[];
  /** Its servers' replies, in a line. */
  readonly words: string;
}

/** The zones that replies have come from so far. */
interface LiveZones {
  /** On the way to the name asked for, from the root down. */
  readonly way: readonly LiveZone[];
  /** On the way to names of name servers and targets of aliases. */
  readonly elsewhere: readonly LiveZone[];
}

/** A question that was not heard yet, at a zone. */
interface Awaited {
  readonly zone: Name;
  readonly address: string;
  readonly name: Name | undefined;
  readonly question: Question;
}

function arranged(seen: readonly SeenZone[], awaited: readonly Awaited[]): readonly LiveZone[] {
  const known = new Set(seen.map(({ zone }) => zone));
  const unheard = new Set(awaited.map(({ zone }) => zone).filter((zone) => !known.has(zone)));
  const all = [...seen, ...[...unheard].map((zone): SeenZone => ({ zone, servers: new Map(), heard: 0 }))];
  return all
    .map((one) => ({ one, path: pathOf(one.zone) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ one }) => {
      const depth = all.filter(({ zone }) => isBelow(one.zone, zone)).length;
      const waiting = awaited.filter(({ zone }) => zone === one.zone);
      return unlessUnchanged(one, depth, waiting);
    });
}

/** The last view of each zone: one that has not changed stays the same object, and is not drawn again. */
const last = new WeakMap<SeenZone, { readonly key: string; readonly live: LiveZone }>();

function unlessUnchanged(one: SeenZone, depth: number, waiting: readonly Awaited[]): LiveZone {
  const waits = waiting.map(({ address, question }) => `${address} ${questionKey(question)}`);
  const key = [depth, one.heard, ...waits].join('\n');
  const known = last.get(one);
  if (known?.key === key) return known.live;
  const live = {
    zone: one.zone,
    depth,
    servers: serversOf(one, waiting),
    words: wordsFor(one, waiting.length),
  };
  last.set(one, { key, live });
  return live;
}

/** A text by which zones are sorted behind those that enclose them: labels from the root down. */
function pathOf(zone: Name): string {
  const parent = parentOf(zone);
  if (parent === undefined) return '';
  return `${pathOf(parent)}\u0000${zone.slice(0, parent === ROOT ? undefined : -parent.length)}`;
}

/** In an order that no reply changes: browsers take the focus from what is moved. */
function serversOf(zone: SeenZone, waiting: readonly Awaited[]): readonly LiveServer[] {
  const statuses = serverStatesIn(zone);
  const awaitedOf = (address: string) =>
    waiting.filter((wait) => wait.address === address).map(({ question }) => question);
  const heard = [...zone.servers.values()].map(({ address, names, did, times }): LiveServer => {
    const state = statuses.get(address) ?? 'agrees';
    const refersAlways = did.every((event) => event.class === 'referral');
    const status = state === 'agrees' && refersAlways ? 'refers' : state;
    return { address, name: names[0], status, did, times, awaited: awaitedOf(address) };
  });
  const unheard = grouped(
    waiting.filter(({ address }) => !zone.servers.has(address)),
    ({ address }) => address,
  ).map(([{ address, name }]): LiveServer => {
    return { address, name, status: 'waiting', did: [], times: 0, awaited: awaitedOf(address) };
  });
  return [...heard, ...unheard].sort((a, b) => (a.address < b.address ? -1 : 1));
}

/** "13 servers, 26 addresses: referral to example", "2 servers: 1 × 192.0.2.80 and 1 × timeout". */
function wordsFor({ servers }: SeenZone, waiting: number): string {
  const all = [...servers.values()].flatMap(({ did }) => did.map(eventWords));
  const shorten = shortening(all, LONGEST);
  const sayings = all.map(shorten);
  const said = [...grouped(sayings, (words) => words)].sort((a, b) => b.length - a.length);
  const [only] = said;
  const whole = said.length === 1 && only !== undefined ? only[0] : '';
  const parts = said.map((group) => `${group.length} × ${group[0]}`);
  const heard = whole === '' ? listed(parts, SHOWN) : whole;
  return [
    [sizeOf([...servers.values()]), heard].filter(Boolean).join(': '),
    waiting === 0 ? '' : `${waiting} awaited`,
  ]
    .filter(Boolean)
    .join('; ');
}

function sizeOf(servers: readonly SeenServer[]): string {
  if (servers.length === 0) return '';
  const names = new Set(servers.map(({ names, address }) => names[0] ?? address)).size;
  const addresses = count(servers.length, 'address', 'addresses');
  return names === servers.length ? count(names, 'server') : `${count(names, 'server')}, ${addresses}`;
}

/** Characters of one reply: keys are long, and their ends of no interest here. */
const LONGEST = 40;

/** With more parts it would no longer be one line. */
const SHOWN = 3;
