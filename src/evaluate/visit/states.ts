/*
 * The states of a resolver at the servers of a zone: what it asks for, and what it knows of each address. Addresses, and
 * names, that behave alike and are in the same condition are counted together. Equal states are the same object.
 */

import { getOrMake } from '../../base/memo.ts';
import { Alike } from './alike.ts';
import type { Candidates, Server } from './servers.ts';

/** What a resolver knows of an address. */
export interface Known {
  /** For the task in hand: not asked, or as often as it may be, or silent. */
  readonly here: 'open' | 'failed' | 'silent';
  /** Whether it counts as one that has been asked at this zone. */
  readonly heard: boolean;
  /** Whether it ever replied in vain. */
  readonly erred: boolean;
  /** It is never asked again, or only if no other is left: at all, or for the task in hand. */
  readonly standing: 'usual' | 'avoided' | 'last-resort' | 'last-here';
  /** How often it replied in vain to the task in hand. */
  readonly failures: number;
  /** How often it replied at all, where that matters, up to `MOST_REPLIES`. */
  readonly replies: number;
  /** Whether it was silent last. */
  readonly unanswered: boolean;
  readonly silences: number;
}

/** The same in one visit: equal ones are one object, with a number. */
export interface Condition extends Known {
  readonly number: number;
}

/** More replies of an address change nothing that is noticed. */
export const MOST_REPLIES = 3;

/** The condition of an address of which nothing is known. */
export const FRESH: Known = {
  here: 'open',
  heard: false,
  erred: false,
  standing: 'usual',
  failures: 0,
  replies: 0,
  unanswered: false,
  silences: 0,
};

/** What is known of an address after so many turns, if lookups of names may have heard it: each asks for addresses of both families. */
export function withLookups(turns: number, { heardFrom }: Server, known: Known): Known {
  if (known.heard || heardFrom > turns) return known;
  return { ...known, heard: true, replies: heardFrom < 0 ? 1 : 2 };
}

/** Addresses of a candidate that are alike and in the same condition. */
export interface Slot {
  readonly server: Server;
  readonly condition: Condition;
  readonly count: number;
}

/** What a resolver picks first: an address at hand, or a name with all its addresses. */
export interface Candidate {
  readonly number: number;
  readonly slots: readonly Slot[];
}

/** How many candidates are alike. */
export interface Counted {
  readonly candidate: Candidate;
  readonly count: number;
}

/** The task of a resolver at a zone: the question of a stage, or the zone's keys. */
export type Task =
  | { readonly kind: 'stage'; readonly stage: number }
  /** Once it has the keys, it goes on with a stage, or leaves with what it has taken. */
  | { readonly kind: 'keys'; readonly next: { readonly kind: 'stage'; readonly stage: number } | Taken };

/** A reply that was taken at a stage. */
export interface Taken {
  readonly kind: 'taken';
  readonly stage: number;
  readonly server: Server;
  readonly reaction: Server['stages'][number]['reaction'];
  /** How many of each kind of server had replied then, where that may matter behind an alias. */
  readonly heard: HeardServers;
}

/** Equal ones are one object. */
export interface HeardServers {
  readonly all: readonly { readonly server: Server; readonly count: number }[];
}

/** A state of a visit. */
export interface State {
  readonly task: Task;
  /** The keys of the zone: still to be asked for, or not (any more). */
  readonly keys: 'wanted' | 'settled';
  /** Replies in vain, and silences, to the task in hand. */
  readonly failing: number;
  readonly silences: number;
  /** Whether a reply was heard of which only a further one like it counts. */
  readonly doubts: boolean;
  /** Whether all are asked in another way, since one had to be: without EDNS, or over TCP. */
  readonly changed: boolean;
  /**
   * The number of addresses at hand that were heard before those that were looked up joined them, as long as none at hand
   * has been asked since; else 0.
   */
  readonly early: number;
  /** How many turns these servers have had, and how many before the question in hand, as far as addresses become known later. */
  readonly turns: number;
  readonly turnsBefore: number;
  /** The name whose addresses are tried now; undefined: any. It is one of the candidates. */
  readonly current: Candidate | undefined;
  readonly candidates: readonly Counted[];
}

/** An address that may be asked next, and how likely that is. */
export interface Pick {
  readonly candidate: Candidate;
  readonly slot: Slot;
  readonly weight: { readonly numerator: bigint; readonly denominator: bigint };
}

/** Makes the states of one visit. */
export class States {
  readonly #conditions = new Alike<string | boolean | number, Condition>();
  readonly #candidates = new Alike<Server | Condition | number, Candidate>();
  readonly #stages = new Map<number, StageTask>();
  readonly #takens = new Alike<number | Server | string | HeardServers, Taken>();
  readonly #heard = new Alike<number | Server, HeardServers>();
  readonly #keys = new Map<StageTask | Taken, Task>();
  readonly #states = new Alike<Part, State>();
  #count = 0;

  /** Before anything is asked. */
  beginning(candidates: Candidates, turns: number, task: Task, keys: State['keys']): State {
    return this.state({
      task,
      keys,
      failing: 0,
      silences: 0,
      doubts: false,
      changed: false,
      early: 0,
      turns,
      turnsBefore: turns,
      current: undefined,
      candidates: candidates.map(({ slots, count }) => ({
        candidate: this.#candidate(
          slots.map((one) => ({ ...one, condition: this.#condition(withLookups(turns, one.server, FRESH)) })),
        ),
        count,
      })),
    });
  }

  stage(stage: number): StageTask {
    return getOrMake(this.#stages, stage, (): StageTask => ({ kind: 'stage', stage }));
  }

  taken(taken: Omit<Taken, 'kind'>): Taken {
    const { stage, server, reaction, heard } = taken;
    return this.#takens.of([stage, server, reaction, heard], () => ({ kind: 'taken', ...taken }));
  }

  /** Those of a state that have replied. */
  heardIn(candidates: readonly Counted[]): HeardServers {
    const counts = new Map<Server, number>();
    for (const { candidate, count } of candidates)
      for (const { server, condition, count: own } of candidate.slots)
        if (condition.heard) counts.set(server, (counts.get(server) ?? 0) + own * count);
    const all = [...counts]
      .map(([server, count]) => ({ server, count }))
      .sort((a, b) => a.server.number - b.server.number);
    return this.#heard.of(
      all.flatMap(({ server, count }) => [server, count]),
      () => ({ all }),
    );
  }

  keys(next: StageTask | Taken): Task {
    return getOrMake(this.#keys, next, (): Task => ({ kind: 'keys', next }));
  }

  /** The same object for equal states. */
  state(one: State): State {
    const { task, keys, failing, silences, doubts, changed, early, turns, turnsBefore, current, candidates } =
      one;
    const parts: Part[] = [
      task,
      keys,
      failing,
      silences,
      doubts,
      changed,
      early,
      turns,
      turnsBefore,
      current,
    ];
    for (const { candidate, count } of candidates) parts.push(candidate, count);
    return this.#states.of(parts, () => one);
  }

  /** The candidates after one address has come into another condition, and the one that it belongs to. */
  moved(
    { candidates }: State,
    { candidate, slot }: Pick,
    to: Known,
  ): { readonly candidates: readonly Counted[]; readonly candidate: Candidate } {
    const changed = { server: slot.server, condition: this.#condition(to), count: 1 };
    const others = candidate.slots.length === 1 && slot.count === 1 ? [] : withoutOne(candidate.slots, slot);
    const now = this.#candidate([...others, changed]);
    const all: Counted[] = [];
    let isIn = false;
    for (const one of candidates) {
      const count = one.candidate === candidate ? one.count - 1 : one.count;
      if (one.candidate === now) {
        all.push({ candidate: now, count: count + 1 });
        isIn = true;
        continue;
      }
      if (!isIn && one.candidate.number > now.number) {
        all.push({ candidate: now, count: 1 });
        isIn = true;
      }
      if (count > 0) all.push(count === one.count ? one : { candidate, count });
    }
    if (!isIn) all.push({ candidate: now, count: 1 });
    return { candidates: all, candidate: now };
  }

  /** The candidates with other conditions. */
  mapped(
    candidates: readonly Counted[],
    to: (condition: Condition, server: Server) => Known,
  ): readonly Counted[] {
    return counted(
      candidates.map(({ candidate, count }) => ({
        candidate: this.#candidate(
          candidate.slots.map((one) => ({
            ...one,
            condition: this.#condition(to(one.condition, one.server)),
          })),
        ),
        count,
      })),
    );
  }

  #condition(one: Known): Condition {
    const { here, heard, erred, standing, failures, replies, unanswered, silences } = one;
    const parts = [here, heard, erred, standing, failures, replies, unanswered, silences];
    return this.#conditions.of(parts, () => ({ ...one, number: this.#next() }));
  }

  #candidate(slots: readonly Slot[]): Candidate {
    const sorted = slots.length === 1 ? slots : merged(slots);
    return this.#candidates.of(
      sorted.flatMap(({ server, condition, count }) => [server, condition, count]),
      () => ({ number: this.#next(), slots: sorted }),
    );
  }

  #next(): number {
    this.#count += 1;
    return this.#count;
  }
}

type StageTask = Extract<Task, { kind: 'stage' }>;

type Part = Task | Candidate | string | boolean | number | undefined;

function withoutOne(slots: readonly Slot[], slot: Slot): readonly Slot[] {
  return slots.flatMap((one) => {
    if (one !== slot) return [one];
    return one.count === 1 ? [] : [{ ...one, count: one.count - 1 }];
  });
}

/** In the order of their numbers, each once. */
function counted(candidates: readonly Counted[]): readonly Counted[] {
  const sorted = [...candidates].sort((a, b) => a.candidate.number - b.candidate.number);
  const all: Counted[] = [];
  for (const one of sorted) {
    const last = all.at(-1);
    if (last?.candidate === one.candidate) all[all.length - 1] = { ...last, count: last.count + one.count };
    else all.push(one);
  }
  return all;
}

function merged(slots: readonly Slot[]): readonly Slot[] {
  const sorted = [...slots].sort(
    (a, b) => a.server.number - b.server.number || a.condition.number - b.condition.number,
  );
  const all: Slot[] = [];
  for (const one of sorted) {
    const last = all.at(-1);
    if (last?.server === one.server && last.condition === one.condition)
      all[all.length - 1] = { ...last, count: last.count + one.count };
    else all.push(one);
  }
  return all;
}
