/*
 * The states of a resolver at the servers of a zone: what it asks for, and what it knows of each address. Addresses, and
 * names, that behave alike and are in the same condition are counted together. Equal states are the same object.
 */

import { getOrMake } from '../../base/memo.ts';
import { Alike } from './alike.ts';
import type { Candidates, Server } from './servers.ts';

/** What a resolver knows of an address. */
export interface Condition {
  /** For the task in hand: not asked, or as often as it may be, or silent. */
  readonly here: 'open' | 'failed' | 'silent';
  /** Whether it counts as one that has been asked at this zone. */
  readonly heard: boolean;
  /** Whether it ever replied in vain. */
  readonly erred: boolean;
  /** It is never asked again, or only if no other is left. */
  readonly standing: 'usual' | 'avoided' | 'last-resort';
  /** How often it replied in vain to the task in hand. */
  readonly failures: number;
  /** How often it replied at all, where that matters, up to `MOST_REPLIES`. */
  readonly replies: number;
  /** Whether it was silent last. */
  readonly unanswered: boolean;
  readonly silences: number;
}

/** More replies of an address change nothing that is noticed. */
export const MOST_REPLIES = 3;

/** The condition of an address of which nothing is known. */
export const FRESH: Condition = {
  here: 'open',
  heard: false,
  erred: false,
  standing: 'usual',
  failures: 0,
  replies: 0,
  unanswered: false,
  silences: 0,
};

/** Addresses of a candidate that are alike and in the same condition. */
export interface Slot {
  readonly server: Server;
  readonly condition: Condition;
  readonly count: number;
}

/** What a resolver picks first: an address at hand, or a name with all its addresses. */
export interface Candidate {
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
}

/** A state of a visit. */
export interface State {
  readonly task: Task;
  /** The keys of the zone: still to be asked for, or not (any more). */
  readonly keys: 'wanted' | 'settled';
  /** Whether nothing was asked yet. */
  readonly begins: boolean;
  /** Replies in vain, and silences, to the task in hand. */
  readonly failing: number;
  readonly silences: number;
  /**
   * The number of addresses at hand that were heard before those that were looked up joined them, as long as none at hand
   * has been asked since; else 0.
   */
  readonly early: number;
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
  readonly #stages = new Map<number, Task>();
  readonly #takens = new Alike<number | Server | string, Taken>();
  readonly #keys = new Map<Task | Taken, Task>();
  readonly #states = new Alike<Part, State>();
  readonly #numbers = new Map<object, number>();

  /** Before anything is asked. */
  beginning(candidates: Candidates, task: Task, keys: State['keys']): State {
    const fresh = this.condition(FRESH);
    const all = candidates.map(({ slots, count }) => ({
      candidate: this.#candidate(slots.map((one) => ({ ...one, condition: fresh }))),
      count,
    }));
    return this.state({
      task,
      keys,
      begins: true,
      failing: 0,
      silences: 0,
      early: 0,
      current: undefined,
      candidates: all,
    });
  }

  condition(one: Condition): Condition {
    const { here, heard, erred, standing, failures, replies, unanswered, silences } = one;
    const parts = [here, heard, erred, standing, failures, replies, unanswered, silences];
    return this.#conditions.of(parts, () => one);
  }

  stage(stage: number): Extract<Task, { kind: 'stage' }> {
    const task = getOrMake(this.#stages, stage, (): Task => ({ kind: 'stage', stage }));
    if (task.kind !== 'stage') throw new Error('a stage is a stage');
    return task;
  }

  taken(stage: number, server: Server, reaction: Taken['reaction']): Taken {
    return this.#takens.of([stage, server, reaction], () => ({ kind: 'taken', stage, server, reaction }));
  }

  keys(next: Extract<Task, { kind: 'keys' }>['next']): Task {
    return getOrMake(this.#keys, next, () => ({ kind: 'keys', next }));
  }

  /** The same object for equal states. */
  state({ candidates, ...rest }: State): State {
    const counts = new Map<Candidate, number>();
    for (const { candidate, count } of candidates)
      counts.set(candidate, (counts.get(candidate) ?? 0) + count);
    const sorted = [...counts].sort(([a], [b]) => this.#number(a) - this.#number(b));
    const { task, keys, begins, failing, silences, early, current } = rest;
    return this.#states.of([task, keys, begins, failing, silences, early, current, ...sorted.flat()], () => ({
      ...rest,
      candidates: sorted.map(([candidate, count]) => ({ candidate, count })),
    }));
  }

  /** The candidates after one address has come into another condition, and the one that it belongs to. */
  moved(
    { candidates }: State,
    { candidate, slot }: Pick,
    condition: Condition,
  ): { readonly candidates: readonly Counted[]; readonly candidate: Candidate } {
    const { server } = slot;
    const others = candidate.slots.map((one) => (one === slot ? { ...one, count: one.count - 1 } : one));
    const now = this.#candidate([...others, { server, condition: this.condition(condition), count: 1 }]);
    const rest = candidates.map((one) =>
      one.candidate === candidate ? { ...one, count: one.count - 1 } : one,
    );
    return {
      candidates: [...rest.filter(({ count }) => count > 0), { candidate: now, count: 1 }],
      candidate: now,
    };
  }

  /** The candidates with other conditions. */
  mapped(candidates: readonly Counted[], to: (condition: Condition) => Condition): readonly Counted[] {
    return candidates.map(({ candidate, count }) => ({
      candidate: this.#candidate(
        candidate.slots.map((one) => ({ ...one, condition: this.condition(to(one.condition)) })),
      ),
      count,
    }));
  }

  #candidate(slots: readonly Slot[]): Candidate {
    const counts = new Map<Server, Map<Condition, number>>();
    for (const { server, condition, count } of slots) {
      if (count === 0) continue;
      const known = getOrMake(counts, server, () => new Map<Condition, number>());
      known.set(condition, (known.get(condition) ?? 0) + count);
    }
    const all = [...counts].flatMap(([server, conditions]) =>
      [...conditions].map(([condition, count]) => ({ server, condition, count })),
    );
    const sorted = all.sort(
      (a, b) =>
        this.#number(a.server) - this.#number(b.server) ||
        this.#number(a.condition) - this.#number(b.condition),
    );
    return this.#candidates.of(
      sorted.flatMap(({ server, condition, count }) => [server, condition, count]),
      () => ({ slots: sorted }),
    );
  }

  #number(of: object): number {
    return getOrMake(this.#numbers, of, () => this.#numbers.size);
  }
}

type Part = Task | Candidate | string | boolean | number | undefined;
