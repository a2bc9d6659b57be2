/* The picks at a step, as texts and pictures show them: the reply, its time, and where it leads. */

import { getOrMake } from '../../base/memo.ts';
import type { Name } from '../../dns/name.ts';
import type { ExchangeRow, ExchangeSecurity } from '../../document/exchanges.ts';
import type { AddressRow, NameserverRow, StepRow } from '../../document/steps.ts';
import { endWords, securityWords } from '../../document/words/end-words.ts';
import { count, time } from '../../document/words/quantities.ts';
import { reasonedWords } from '../../document/words/security-words.ts';
import type { Shorten } from '../../document/words/shortened.ts';
import type { End } from '../../evaluate/end.ts';
import { type Fraction, multiply, readFraction, sum, ZERO } from '../../evaluate/fraction.ts';
import type { ExchangeClass } from '../../explore/meaning.ts';
import type { Effect, EffectOf } from './effects.ts';
import type { Next, Passed, ResultIndex } from './result-index.ts';

/** All picks at the steps that walks pass, equal ones as one. Their probabilities add up to the share of walks that pass each. */
export function picksAt(
  { steps, share }: Passed,
  index: ResultIndex,
  effectOf: EffectOf,
): readonly PickView[] {
  const picks = new Picks(share, index, effectOf);
  for (const step of steps) {
    const failures = failuresAt(step, index);
    for (const nameserver of step.nameservers) {
      for (const row of nameserver.addresses) picks.address(step, nameserver, row);
      for (const end of failures(nameserver)) picks.failure(step, nameserver, end);
    }
  }
  return picks.views;
}

/** One way to leave a step: a name server and one of its addresses, or a name server without an address. */
export interface PickView {
  readonly name: Name;
  /** Absent where the server has no address. */
  readonly address?: string;
  readonly source: NameserverRow['source'];
  readonly reply: ServerReply;
  readonly next: Next;
  readonly exchange?: ExchangeRow;
  /** Absent where nobody asked. */
  readonly class?: ExchangeClass;
  /** What it leads to follows from: what the server said, or a planned delegation in place of that. */
  readonly basis: 'reply' | 'plan';
  /** The share of all walks that make this pick. Rings of lookups have very many, and most texts show none of them. */
  readonly probability: () => Fraction;
}

/** Whether a server that did reply is imagined to be down (svc-model(7), WHAT IF). */
export function isImagined({ exchange, next }: PickView): boolean {
  const isSilent = next.kind === 'end' && next.end.kind === 'timeout';
  return isSilent && exchange !== undefined && exchange.failure === undefined;
}

/** How long asking there took, in words: "12 ms"; empty where it is not known, "planned" where nobody asked. */
export function tookWords(pick: PickView): string {
  if (pick.exchange?.planned) return 'planned';
  const elapsedMs = tookAt(pick);
  return elapsedMs === undefined ? '' : time(elapsedMs);
}

/** How long asking there took, in milliseconds; undefined where nobody asked, or the server is imagined to be down. */
export function tookAt(pick: PickView): number | undefined {
  return isImagined(pick) || pick.exchange?.planned ? undefined : pick.exchange?.elapsedMs;
}

/** The pick of an address, as it was made first. */
interface AddressPicked {
  readonly row: AddressRow;
  readonly source: NameserverRow['source'];
  readonly zone: Name;
  /** Where it was made. Rings make it at thousands of steps, so this is all that is kept of each. */
  readonly steps: StepRow[];
}

class Picks {
  readonly views: PickView[] = [];
  readonly #share: Passed['share'];
  readonly #index: ResultIndex;
  readonly #effectOf: EffectOf;
  /** By the name of a server, and by the step or end that addresses lead to. */
  readonly #addresses = new Map<Name, Map<string, AddressPicked[]>>();
  /** By the name of a server: the steps where it has no address because of an end. */
  readonly #failures = new Map<Name, Map<End, StepRow[]>>();

  constructor(share: Passed['share'], index: ResultIndex, effectOf: EffectOf) {
    this.#share = share;
    this.#index = index;
    this.#effectOf = effectOf;
  }

  address(step: StepRow, { name, source }: NameserverRow, row: AddressRow): void {
    const { zone } = step;
    const { leadsTo } = row;
    const ofServer = getOrMake(this.#addresses, name, () => new Map<string, AddressPicked[]>());
    const to = 'step' in leadsTo ? leadsTo.step : leadsTo.end;
    const leadingThere = getOrMake(ofServer, to, (): AddressPicked[] => []);
    const isAlike = (one: AddressPicked) =>
      one.zone === zone && one.source === source && isSameReply(one.row, row);
    const known = leadingThere.find(isAlike);
    if (known === undefined) {
      const picked = { row, source, zone, steps: [step] };
      leadingThere.push(picked);
      this.views.push(this.#addressView(name, picked));
    } else known.steps.push(step);
  }

  failure(step: StepRow, { name, source }: NameserverRow, end: End): void {
    const ofServer = getOrMake(this.#failures, name, () => new Map<End, StepRow[]>());
    const known = ofServer.get(end);
    if (known === undefined) {
      const steps = [step];
      ofServer.set(end, steps);
      this.views.push({
        name,
        source,
        reply: replyOfEnd(end, this.#effectOf),
        next: { kind: 'end', end },
        basis: 'reply',
        probability: () => this.#part(steps, name, (at, server) => failedShare(at, server, end, this.#index)),
      });
    } else known.push(step);
  }

  #addressView(name: Name, { row, source, zone, steps }: AddressPicked): PickView {
    const exchange = this.#index.exchange(row);
    const next = this.#index.next(row.leadsTo);
    return {
      name,
      address: row.address,
      source,
      reply: replyAt(row, zone, this.#index, this.#effectOf),
      next,
      basis: row.class === 'referral' && this.#index.planned.has(zoneAfter(next)) ? 'plan' : 'reply',
      ...(exchange === undefined ? {} : { exchange }),
      ...(row.class && { class: row.class }),
      probability: () =>
        this.#part(steps, name, (_, { addresses }) => {
          const same = addresses.find(({ address }) => address === row.address);
          return same === undefined ? ZERO : readFraction(same.fraction);
        }),
    };
  }

  /** What these picks of a server are of all walks; `shareAt` says what they are of a step. */
  #part(
    steps: readonly StepRow[],
    name: Name,
    shareAt: (step: StepRow, nameserver: NameserverRow) => Fraction,
  ): Fraction {
    const parts = steps.flatMap((step) =>
      step.nameservers
        .filter((nameserver) => nameserver.name === name)
        .map((nameserver) => multiply(this.#share(step), shareAt(step, nameserver))),
    );
    return sum(parts);
  }
}

/** The zone whose servers are asked next, or where a path stops. */
export function zoneAfter(next: Next): Name {
  return next.kind === 'step' ? next.step.zone : next.end.zone;
}

/** Whether a server did the same at an address; where each leads is compared elsewhere. */
function isSameReply(a: AddressRow, b: AddressRow): boolean {
  return a.address === b.address && a.exchange === b.exchange && a.class === b.class;
}

/** Says all ways in which no address of a name server was found at a step. Each is the same object wherever it is met. */
export function failuresAt(step: StepRow, index: ResultIndex): (nameserver: NameserverRow) => readonly End[] {
  const failed = index.failedLookups(step);
  return ({ name, lookup, end }) => {
    if (end !== undefined) return [index.end(end)];
    if (lookup === undefined) return [];
    const { failures } = index.lookup(lookup);
    return failures.length === 0 ? [] : failures.map((failure) => failed(name, failure.end));
  };
}

/** The share of a step that is left without an address of a name server by one of the ends that `failuresAt` gives for it. */
export function failedShare(
  step: StepRow,
  nameserver: NameserverRow,
  end: End,
  index: ResultIndex,
): Fraction {
  const { fraction, lookup } = nameserver;
  if (lookup === undefined) return readFraction(fraction);
  const failure = index.lookup(lookup).failures[failuresAt(step, index)(nameserver).indexOf(end)];
  return failure === undefined ? ZERO : multiply(readFraction(fraction), readFraction(failure.fraction));
}

/** What a server did when it was asked, put into words. */
export interface ServerReply {
  readonly words: string;
  /** How the reply was obtained, and whether it verifies: "over TCP", "3 tries", "secure". */
  readonly notes: readonly string[];
  /** What a validating resolver makes of it; absent where that is not known. */
  readonly security?: ExchangeSecurity;
  readonly effect: Effect;
  /** Present where paths end here. */
  readonly end?: End;
}

/** What a server did, with the notes: "192.0.2.80 (over TCP)". */
export function replyWords({ words, notes, end }: ServerReply, shorten: Shorten): string {
  const said = end === undefined ? words : endWords(end, shorten);
  return notes.length === 0 ? said : `${said} (${notes.join(', ')})`;
}

/** Says what the server at an address did when it was asked at a step in a zone. */
function replyAt(row: AddressRow, at: Name, index: ResultIndex, effectOf: EffectOf): ServerReply {
  const exchange = index.exchange(row);
  const heard = exchange === undefined ? { notes: [] } : heardIn(exchange, index.security(row, at), at);
  const next = index.next(row.leadsTo);
  // Where the depth limit cuts a path off, the end says where it would have gone on.
  const { zone, question } = next.kind === 'step' ? next.step : next.end;
  if (next.kind === 'step' || next.end.kind === 'depth-limit') {
    if (row.class === 'referral') return { words: `referral to ${zone}`, ...heard, effect: 'leads-on' };
    if (row.class === 'alias') return { words: `alias to ${question.name}`, ...heard, effect: 'leads-on' };
  }
  return next.kind === 'end'
    ? { ...replyOfEnd(next.end, effectOf), ...heard }
    : { words: row.class ?? '', ...heard, effect: 'unknown' };
}

/** Says how a path ended. */
function replyOfEnd(end: End, effectOf: EffectOf): ServerReply {
  return { words: getOrMake(wordsOfEnds, end, () => endWords(end)), notes: [], effect: effectOf(end), end };
}

/**
 * What a server did means this to some users at least: a bogus reply helps nobody whose resolver validates, unless that
 * depends on what else it heard.
 */
export function effectOfReply({ effect, security }: ServerReply): Effect {
  if (security?.status !== 'bogus') return effect;
  return security.otherwise === undefined ? 'fails' : 'differs';
}

/** Lookups come to the same end in many places. */
const wordsOfEnds = new WeakMap<End, string>();

function heardIn(
  exchange: ExchangeRow,
  security: ExchangeSecurity | undefined,
  zone: Name,
): Pick<ServerReply, 'notes' | 'security'> {
  const words = securityWords(security, zone);
  const notes = [...notesOn(exchange), ...(words === undefined ? [] : [reasonedWords(words)])];
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
  if (tries.some(({ outcome }) => outcome.kind === 'timeout'))
    notes.push(count(tries.length, 'try', 'tries'));
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
