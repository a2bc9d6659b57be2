import type { Exchanged } from '../exchange/exchanged.ts';
import type { Asking } from './asking/asking.ts';
import { Exploration } from './exploration.ts';
import type { Policy } from './policy/policy.ts';
import type { WantedQuery } from './questions.ts';
import { type BesidesRank, WALKS } from './ranks.ts';
import type { Scope } from './recording.ts';
import { askInRounds, type Counted, type Left } from './rounds.ts';

/** What counts before questions that are asked besides. */
interface CountedBefore {
  /** Keys of the questions that count. */
  readonly counted: ReadonlySet<string>;
  /** How many questions may count besides; none if there are not enough for what goes before. */
  readonly room: number;
}

/**
 * What is asked besides the cold walk: with `--dnssec` what proves the replies (svc-model(7), VALIDATING), with
 * `--check` the warm walk's questions, then those about the zones on the way (svc-model(7), COLD AND WARM). They
 * may use what goes before leaves of the budget, so that it comes to the same with and without them.
 */
export class Besides {
  readonly rank: BesidesRank;
  readonly #scope: Scope;
  readonly #policy: Policy;
  /** Of a walk that contains the cold one. */
  readonly exploration: Exploration;
  /** By key: every question of its walk, those of the cold one included, and every one about a zone. */
  readonly known = new Map<string, WantedQuery>();
  /** What waits to be asked; it may have been since, for another walk. */
  readonly #ofWalk: WantedQuery[] = [];
  readonly #ofZones: WantedQuery[] = [];

  constructor(rank: BesidesRank, scope: Scope, policy: Policy) {
    this.rank = rank;
    this.#scope = scope;
    this.#policy = policy;
    this.exploration = this.#newExploration();
    this.#takeWanted();
  }

  learn(exchanged: Exchanged): void {
    this.exploration.learn(exchanged);
    this.#takeWanted();
  }

  /** Asks what is known and was not asked yet, until `most` questions have been asked in all. */
  askKnown(most: number, asking: Asking): 'all' | 'some' {
    for (const queue of [this.#ofWalk, this.#ofZones]) {
      while (queue.length > 0 && asking.asked.size < most)
        for (const wanted of queue.splice(0, most - asking.asked.size)) asking.ask(wanted, this.rank);
    }
    const isAsked = ({ key }: WantedQuery) => asking.asked.has(key);
    return this.#ofWalk.every(isAsked) && this.#ofZones.every(isAsked) ? 'all' : 'some';
  }

  /**
   * Asks all that is left, and lets others go on asking `meanwhile`. Resolves with what counts of it and what
   * does not.
   */
  async askRest(
    before: CountedBefore,
    asking: Asking,
    stop: AbortSignal,
    meanwhile: () => void,
  ): Promise<Counted> {
    const asked = await this.#askEagerly(before, asking, stop, meanwhile);
    const { counted, room } = before;
    const own = [...this.known.keys()].filter((key) => !counted.has(key));
    if (asked === 'all' && own.length <= room && !this.exploration.mayExceedWork)
      return { counted: new Set(own), work: 'enough', beyondQueries: [], beyondWork: [] };
    return await askInRounds({
      exploration: this.#newExploration(),
      known: this.known,
      room,
      isCounted: (key) => counted.has(key),
      ask: async (questions) => {
        for (const wanted of questions) asking.ask(wanted, this.rank);
        await asking.takeAll('all');
      },
      heard: asking.heard,
      stop,
    });
  }

  async #askEagerly(
    { counted, room }: CountedBefore,
    asking: Asking,
    stop: AbortSignal,
    meanwhile: () => void,
  ): Promise<'all' | 'some'> {
    const most = counted.size + room;
    let asked = this.askKnown(most, asking);
    meanwhile();
    while (asking.awaited('all') > 0 && !stop.aborted) {
      await asking.takeSome();
      // Also after the last reply of all: it may lead on.
      if (stop.aborted) break;
      asked = this.askKnown(most, asking);
      meanwhile();
    }
    await asking.takeAll('all');
    return asked;
  }

  #newExploration(): Exploration {
    return new Exploration(this.#scope, this.#policy, WALKS[this.rank]);
  }

  #takeWanted(): void {
    const walk = this.exploration.takeWanted();
    const zones = this.exploration.takeZoneQuestions();
    for (const wanted of walk) this.#ofWalk.push(wanted);
    for (const wanted of zones) this.#ofZones.push(wanted);
    for (const wanted of [...walk, ...zones]) this.known.set(wanted.key, wanted);
  }
}

/** What all that is asked besides leaves out together. */
export function leftOutTogether(left: readonly Left[]): Left {
  return {
    beyondQueries: left.flatMap(({ beyondQueries }) => beyondQueries),
    beyondWork: left.flatMap(({ beyondWork }) => beyondWork),
  };
}
