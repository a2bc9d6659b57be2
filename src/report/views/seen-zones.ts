import { questionKey } from '../../dns/message.ts';
import type { Name } from '../../dns/name.ts';
import type { ExchangeEvent } from '../../document/events.ts';
import { grouped } from '../../document/words/lists.ts';
import { plain } from '../../document/words/names.ts';
import { type ExchangeClass, isUsable } from '../../explore/meaning.ts';

/** What the exchange events of a run show of zones and their servers, for live views; in the order of the first events. */
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

/** How one address of a zone's servers has replied so far, by the exchange events. */
export interface SeenServer {
  readonly address: string;
  /** Of the last event about it. */
  readonly names: readonly Name[];
  /** The number of its replies in each class. */
  readonly classes: ReadonlyMap<ExchangeClass, number>;
  /** Its first events, in the order in which they came. */
  readonly did: readonly ExchangeEvent[];
  /** The number of all its events. */
  readonly times: number;
}

/** One zone and the addresses that were asked for it, in the order of their first events. */
export interface SeenZone {
  readonly zone: Name;
  readonly servers: ReadonlyMap<string, SeenServer>;
  /** The number of its events: a changed number is a changed zone. */
  readonly heard: number;
}

/** Events kept of one server: the servers of providers are asked hundreds of times, and no view shows more. */
const MOST_KEPT = 24;

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
 * A server compared with the others of its zone: its replies have the content of most, another content (all differ
 * where there is no majority), or are of no use to a resolver.
 */
export type ServerState = 'agrees' | 'differs' | 'fails';

/** The state of each server of a zone, by address. */
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

/** Whether a resolver could use every reply of a server. */
export function works({ classes }: { readonly classes: ReadonlyMap<ExchangeClass, number> }): boolean {
  return [...classes.keys()].every(isUsable);
}

/** The addresses whose replies to one question have not the content of most. */
function inMinority(replies: readonly ExchangeEvent[]): readonly string[] {
  const groups = grouped(replies, contentKey).map((group) => group.map(({ server }) => server.address));
  const most = Math.max(...groups.map(({ length }) => length));
  const largest = groups.filter(({ length }) => length === most);
  return groups.filter((group) => largest.length > 1 || group !== largest[0]).flat();
}

/** Equal for replies of equal content. */
function contentKey({ class: kind, data, target, referredTo }: ExchangeEvent): string {
  return [kind, target, referredTo, ...(data ?? [])].join('\n');
}

/** A reply in a few words: "referral to example", "192.0.2.80", "REFUSED". */
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

/** The name of each class of replies in texts. */
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
