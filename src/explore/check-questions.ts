import type { Exchanged } from '../exchanged.ts';
import { runInSlices } from '../pausable.ts';
import type { Asking } from './asking.ts';
import { Exploration } from './exploration.ts';
import { Front } from './front.ts';
import { learnAgain } from './learn-again.ts';
import type { Policy } from './policy.ts';
import type { WantedQuery } from './questions.ts';
import type { Scope } from './recording.ts';

/** The keys of the cold walk's questions. */
interface ColdKeys {
  readonly size: number;
  has(key: string): boolean;
}

/**
 * What `--check` asks besides the cold walk: the warm walk's questions, then those about the zones on the
 * way (svc-model(7), COLD AND WARM). They may use what the cold walk leaves of the budget, so that it
 * comes to the same with and without them.
 */
export class CheckQuestions {
  readonly #scope: Scope;
  readonly #policy: Policy;
  readonly #warm: Front;
  /** By key: every question about a zone. */
  readonly #ofZones = new Map<string, WantedQuery>();
  /** What there was no room for so far. */
  #waiting: readonly WantedQuery[] = [];
  /** Keys of what only these questions put on the wire, so far as was known then. */
  readonly #asked = new Set<string>();

  constructor(scope: Scope, policy: Policy) {
    this.#scope = scope;
    this.#policy = policy;
    this.#warm = new Front(scope, policy, 'warm');
  }

  /** Of the warm walk, which contains the cold one. */
  get exploration(): Exploration {
    return this.#warm.exploration;
  }

  /** By key: the questions of the warm walk, those of the cold one included. */
  get known(): ReadonlyMap<string, WantedQuery> {
    return this.#warm.known;
  }

  /** By key: the questions about zones. */
  get ofZones(): ReadonlyMap<string, WantedQuery> {
    return this.#ofZones;
  }

  learn(exchanged: Exchanged): void {
    this.#warm.learn(exchanged);
  }

  /** Asks what is known and was not asked yet, as long as that and the cold walk come to `most` questions. */
  askKnown(cold: ColdKeys, most: number, asking: Asking): void {
    const walk = [...this.#waiting, ...this.#warm.takeWanted()];
    const waiting: WantedQuery[] = [];
    for (const wanted of [...walk, ...this.#takeZoneQuestions()]) {
      if (cold.has(wanted.key) || this.#asked.has(wanted.key)) continue;
      if (cold.size + this.#asked.size >= most) waiting.push(wanted);
      else this.#ask(wanted, asking);
    }
    this.#waiting = waiting;
  }

  /**
   * Asks all that is left, of which `room` questions count besides those of the cold walk that do
   * (`counted`). Resolves with the questions that do not.
   */
  async askRest(
    counted: ColdKeys & Iterable<string>,
    room: number,
    asking: Asking,
    stop: AbortSignal,
  ): Promise<readonly WantedQuery[]> {
    this.askKnown(counted, counted.size + room, asking);
    while (asking.awaited('all') > 0 && !stop.aborted) {
      await asking.takeSome();
      // Also after the last reply of all: it may lead on.
      if (!stop.aborted) this.askKnown(counted, counted.size + room, asking);
    }
    await asking.takeAll('all');
    if (this.#waiting.length === 0 || stop.aborted) return [];
    return this.#askInRounds(new Set(counted), room, asking, stop);
  }

  /** What counts is chosen breadth first, the walk before the zones, as `ALL_IN_ROUNDS` says of the cold walk. */
  async #askInRounds(
    counted: Set<string>,
    room: number,
    asking: Asking,
    stop: AbortSignal,
  ): Promise<readonly WantedQuery[]> {
    const most = counted.size + room;
    const exploration = new Exploration(this.#scope, this.#policy, 'warm');
    const beyond: WantedQuery[] = [];
    const count = (wanted: WantedQuery): boolean => {
      if (!counted.has(wanted.key) && counted.size >= most) return false;
      counted.add(wanted.key);
      this.#ask(wanted, asking);
      return true;
    };
    let round = exploration.takeWanted();
    while (round.length > 0 && !stop.aborted) {
      const now: WantedQuery[] = [];
      for (const wanted of round) (count(wanted) ? now : beyond).push(wanted);
      await asking.takeAll('all');
      await runInSlices(learnAgain(now, exploration, asking.heard));
      round = exploration.takeWanted();
    }
    for (const wanted of exploration.takeZoneQuestions()) if (!count(wanted)) beyond.push(wanted);
    await asking.takeAll('all');
    return beyond;
  }

  #ask(wanted: WantedQuery, asking: Asking): void {
    this.#asked.add(wanted.key);
    asking.ask(wanted, 'check');
  }

  #takeZoneQuestions(): readonly WantedQuery[] {
    const questions = this.#warm.exploration.takeZoneQuestions();
    for (const one of questions) this.#ofZones.set(one.key, one);
    return questions;
  }
}
