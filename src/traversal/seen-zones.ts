import { questionKey } from '../dns/message.ts';
import type { Name } from '../dns/name.ts';
import type { ExchangeEvent } from '../document/events.ts';
import { grouped } from '../document/words/lists.ts';
import { plain } from '../document/words/names.ts';
import { type ExchangeClass, isUsable } from '../explore/meaning.ts';

/** One address, as a zone's servers are seen. */
export interface SeenServer {
  readonly address: string;
  /** As the last event about it has them. */
  readonly names: readonly Name[];
  /** How often it did what. */
  readonly classes: ReadonlyMap<ExchangeClass, number>;
  /** The first things it did, in the order in which they were heard. */
  readonly did: readonly ExchangeEvent[];
  /** How many there are in all. */
  readonly times: number;
}

/** One zone and the addresses that were asked for it, in the order they were heard. */
export interface SeenZone {
  readonly zone: Name;
  readonly servers: ReadonlyMap<string, SeenServer>;
  /** How much was heard of it: the zone has changed if this has. */
  readonly heard: number;
}

/** More of what one server did helps nobody who looks at it, and servers of providers are asked hundreds of times. */
const MOST_KEPT = 24;

/** Zones in the order in which their servers were first heard. */
export class SeenZones {
  readonly #zones = new Map<Name, MutableZone>();

  get all(): readonly SeenZone[] {
    return [...this.#zones.values()];
  }

  hear(event: ExchangeEvent): void {
    const { zone, server, class: kind } = event;
    const seen = this.#zones.get(zone) ?? { zone, servers: new Map(), heard: 0 };
    this.#zones.set(zone, seen);
    seen.heard += 1;
    const { address, names } = server;
    const known = seen.servers.get(address) ?? { address, names, classes: new Map(), did: [], times: 0 };
    seen.servers.set(address, known);
    known.names = names;
    known.times += 1;
    known.classes.set(kind, (known.classes.get(kind) ?? 0) + 1);
    if (known.did.length < MOST_KEPT) known.did.push(event);
  }
}

interface MutableZone extends SeenZone {
  readonly servers: Map<string, MutableServer>;
  heard: number;
}

interface MutableServer extends SeenServer {
  names: readonly Name[];
  readonly classes: Map<ExchangeClass, number>;
  readonly did: ExchangeEvent[];
  times: number;
}

/**
 * How a server stands among those of its zone, as far as is known: it says what most say, something else (as do
 * all where none are most), or nothing that a resolver could use.
 */
export type ServerState = 'agrees' | 'differs' | 'fails';

/** The standing of each server of a zone, by address. */
export function serverStatesIn({ servers }: SeenZone): ReadonlyMap<string, ServerState> {
  const usable = [...servers.values()].flatMap(({ did }) => did).filter((event) => isUsable(event.class));
  const questions = grouped(usable, ({ question }) => questionKey(question));
  const differing = new Set(questions.flatMap(inMinority));
  return new Map(
    [...servers.values()].map((server): [string, ServerState] => {
      if (!works(server)) return [server.address, 'fails'];
      return [server.address, differing.has(server.address) ? 'differs' : 'agrees'];
    }),
  );
}

/** Whether a resolver could use everything that was heard of a server. */
export function works({ classes }: { readonly classes: ReadonlyMap<ExchangeClass, number> }): boolean {
  return [...classes.keys()].every(isUsable);
}

/** The addresses whose replies to one question are not what most said. */
function inMinority(replies: readonly ExchangeEvent[]): readonly string[] {
  const groups = grouped(replies, contentKey).map((group) => group.map(({ server }) => server.address));
  const most = Math.max(...groups.map(({ length }) => length));
  const largest = groups.filter(({ length }) => length === most);
  return groups.filter((group) => largest.length > 1 || group !== largest[0]).flat();
}

/** Equal for replies that come to the same, as far as events tell. */
function contentKey({ class: kind, data, target, referredTo }: ExchangeEvent): string {
  return [kind, target, referredTo, ...(data ?? [])].join('\n');
}

/** What a reply said, in a few words: "referral to example", "192.0.2.80", "REFUSED". */
export function eventWords({ class: kind, rcode, data, target, referredTo }: ExchangeEvent): string {
  switch (kind) {
    case 'answer':
      return data?.join(' + ') ?? REPLY_WORDS.answer;
    case 'alias':
    case 'alias-loop':
      return target === undefined ? REPLY_WORDS[kind] : `${REPLY_WORDS[kind]} to ${plain(target)}`;
    case 'referral':
      return referredTo === undefined
        ? REPLY_WORDS.referral
        : `${REPLY_WORDS.referral} to ${plain(referredTo)}`;
    case 'lame':
      return referredTo === undefined
        ? REPLY_WORDS.lame
        : `${REPLY_WORDS.lame}, ${REPLY_WORDS.referral} to ${plain(referredTo)}`;
    case 'error':
      return rcode ?? REPLY_WORDS.error;
    case 'nxdomain':
    case 'nodata':
    case 'malformed':
    case 'unreachable':
    case 'timeout':
      return REPLY_WORDS[kind];
  }
}

/** What a reply was, in a word or two. */
export const REPLY_WORDS: Readonly<Record<ExchangeClass, string>> = {
  answer: 'answer',
  alias: 'alias',
  nxdomain: 'NXDOMAIN',
  nodata: 'NODATA',
  referral: 'referral',
  malformed: 'malformed reply',
  unreachable: 'unreachable',
  timeout: 'timeout',
  error: 'error',
  'alias-loop': 'alias loop',
  lame: 'lame',
};
