import type { Exchanged } from '../exchanged.ts';
import type { Asking } from './asking.ts';
import { Exploration } from './exploration.ts';
import type { Policy } from './policy/policy.ts';
import type { WantedQuery } from './questions.ts';
import type { Scope } from './recording.ts';
import { askInRounds, type Left } from './rounds.ts';

/** What the cold walk leaves of the budget. */
export interface ColdRest {
  /** Keys of its questions that count. */
  readonly counted: ReadonlySet<string>;
  /** How many questions may count besides; none if there are not enough for the cold walk. */
  readonly room: number;
}

/**
 * What `--check` asks besides the cold walk: the warm walk's questions, then those about the zones on the
 * way (svc-model(7), COLD AND WARM). They may use what the cold walk leaves of the budget, so that it
 * comes to the same with and without them.
 */
export class CheckQuestions {
  readonly #scope: Scope;
  readonly #policy: Policy;
  /** Of the warm walk, which contains the cold one. */
  readonly exploration: Exploration;
  /** By key: every question of the warm walk, those of the cold one included, and every one about a zone. */
  readonly known = new Map<string, WantedQuery>();
  /** What waits to be asked; it may have been since, for the cold walk. */
  readonly #ofWalk: WantedQuery[] = [];
  readonly #ofZones: WantedQuery[] = [];

  constructor(scope: Scope, policy: Policy) {
    this.#scope = scope;
    this.#policy = policy;
    this.exploration = new Exploration(scope, policy, 'warm');
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
        for (const wanted of queue.splice(0, most - asking.asked.size)) asking.ask(wanted, 'check');
    }
    const isAsked = ({ key }: WantedQuery) => asking.asked.has(key);
    return this.#ofWalk.every(isAsked) && this.#ofZones.every(isAsked) ? 'all' : 'some';
  }

  /** Asks all that is left after the cold walk. Resolves with the questions that do not count. */
  async askRest(cold: ColdRest, asking: Asking, stop: AbortSignal): Promise<Left> {
    const asked = await this.#askEagerly(cold, asking, stop);
    const { counted, room } = cold;
    const wanted = [...this.known.keys()].filter((key) => !counted.has(key)).length;
    if (asked === 'all' && wanted <= room && !this.exploration.mayExceedWork)
      return { beyondQueries: [], beyondWork: [] };
    return await askInRounds({
      exploration: new Exploration(this.#scope, this.#policy, 'warm'),
      known: this.known,
      room,
      isCounted: (key) => counted.has(key),
      ask: async (questions) => {
        for (const wanted of questions) asking.ask(wanted, 'check');
        await asking.takeAll('all');
      },
      heard: asking.heard,
      stop,
    });
  }

  async #askEagerly({ counted, room }: ColdRest, asking: Asking, stop: AbortSignal): Promise<'all' | 'some'> {
    const most = counted.size + room;
    let asked = this.askKnown(most, asking);
    while (asking.awaited('all') > 0 && !stop.aborted) {
      await asking.takeSome();
      // Also after the last reply of all: it may lead on.
      if (!stop.aborted) asked = this.askKnown(most, asking);
    }
    await asking.takeAll('all');
    return asked;
  }

  #takeWanted(): void {
    const walk = this.exploration.takeWanted();
    const zones = this.exploration.takeZoneQuestions();
    for (const wanted of walk) this.#ofWalk.push(wanted);
    for (const wanted of zones) this.#ofZones.push(wanted);
    for (const wanted of [...walk, ...zones]) this.known.set(wanted.key, wanted);
  }
}
