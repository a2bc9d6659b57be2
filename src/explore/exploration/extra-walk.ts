import type { Exchanged } from '../../exchange/exchanged.ts';
import { type ExtraRank, WALKS } from '../main-walks.ts';
import type { Policy } from '../policy.ts';
import type { Scope } from '../recording.ts';
import type { Asking } from './asking.ts';
import { Exploration } from './exploration.ts';
import type { WantedQuery } from './questions.ts';
import { askInRounds, type Counted } from './rounds.ts';

/**
 * A walk beside the cold one, while it is explored: that of `--dnssec` asks for the proof of replies (svc-model(7),
 * VALIDATING), that of `--check` asks the warm walk's questions, then those about the zones on the way (svc-model(7),
 * COLD AND WARM). It may use the budget that the walks before it leave, so that these come to the same with and without it.
 */
export class ExtraWalk {
  readonly rank: ExtraRank;
  readonly #scope: Scope;
  readonly #policy: Policy;
  /** Of a walk that contains the cold one. */
  readonly exploration: Exploration;
  /** By key: every question of its walk, those of the cold one included, and every one about a zone. */
  readonly known = new Map<string, WantedQuery>();
  /** Questions that wait to be asked; another walk may have asked them since. */
  readonly #ofWalk: WantedQuery[] = [];
  readonly #ofZones: WantedQuery[] = [];

  constructor(rank: ExtraRank, scope: Scope, policy: Policy) {
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

  /** Asks the known questions that were not asked yet, until `most` questions have been asked in all. */
  askKnown(most: number, asking: Asking): 'all' | 'some' {
    for (const queue of [this.#ofWalk, this.#ofZones]) {
      while (queue.length > 0 && asking.asked.size < most)
        for (const wanted of queue.splice(0, most - asking.asked.size)) asking.ask(wanted, this.rank);
    }
    const isAsked = ({ key }: WantedQuery) => asking.asked.has(key);
    return this.#ofWalk.every(isAsked) && this.#ofZones.every(isAsked) ? 'all' : 'some';
  }

  /**
   * Asks all questions that are left, and calls `meanwhile` whenever later walks may go on asking. Resolves with the
   * questions that count and those that do not.
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
    // Not all as arguments of one call: there may be more of them than the stack holds.
    for (const wanted of walk) this.#ofWalk.push(wanted);
    for (const wanted of zones) this.#ofZones.push(wanted);
    for (const wanted of [...walk, ...zones]) this.known.set(wanted.key, wanted);
  }
}

/** The questions that count before those of an extra walk. */
interface CountedBefore {
  /** Keys of the questions that count. */
  readonly counted: ReadonlySet<string>;
  /** How many more questions may count; none if there is not enough for the walks before. */
  readonly room: number;
}
