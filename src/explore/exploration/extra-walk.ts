import type { QueryRank } from '../../exchange/query.ts';
import { type ExtraRank, walkOf } from '../main-walks.ts';
import type { Policy } from '../policy.ts';
import type { Scope } from '../recording.ts';
import type { Asking } from './asking.ts';
import { Exploration } from './exploration.ts';
import type { WantedQuery } from './questions.ts';
import { askInRounds, type Counted } from './rounds.ts';

/**
 * The questions of one rank beside the cold walk's, while they are explored: those of the warm walk, those that validating
 * takes (svc-model(7), VALIDATING), or those that `--check` asks about the zones on the way (svc-model(7), COLD AND WARM).
 * They may use the budget that the ranks before leave, so that these come to the same with and without them.
 */
export class ExtraWalk {
  readonly rank: ExtraRank;
  readonly #scope: Scope;
  readonly #policy: Policy;
  /** Of a walk that contains the cold one. */
  readonly exploration: Exploration;
  /** By key: every question of its walk, those of the cold one included, or every one about a zone. */
  readonly known = new Map<string, WantedQuery>();
  /** Questions that wait to be asked; another rank may have asked them since. */
  readonly #waiting: WantedQuery[] = [];

  /** `exploration`: of the walk that leads to these questions. Whoever makes it also has it learn. */
  constructor(rank: ExtraRank, scope: Scope, policy: Policy, exploration: Exploration) {
    this.rank = rank;
    this.#scope = scope;
    this.#policy = policy;
    this.exploration = exploration;
    this.takeWanted();
  }

  /** Takes in the questions that its exploration came to know. */
  takeWanted(): void {
    // Not all as arguments of one call: there may be more of them than the stack holds.
    for (const wanted of wantedBy(this.exploration, this.rank)) {
      this.#waiting.push(wanted);
      this.known.set(wanted.key, wanted);
    }
  }

  /** Asks the known questions that were not asked yet, until `most` questions have been asked in all. */
  askKnown(most: number, asking: Asking): 'all' | 'some' {
    const queue = this.#waiting;
    while (queue.length > 0 && asking.asked.size < most)
      for (const wanted of queue.splice(0, most - asking.asked.size)) asking.ask(wanted, this.rank);
    return queue.every(({ key }) => asking.asked.has(key)) ? 'all' : 'some';
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
      exploration: new Exploration(this.#scope, this.#policy, walkOf(this.rank, this.#scope)),
      rank: this.rank,
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
}

/** The questions of a rank that became known to its exploration since the last call. */
export function wantedBy(exploration: Exploration, rank: QueryRank): readonly WantedQuery[] {
  return rank === 'check' ? exploration.takeZoneQuestions() : exploration.takeWanted();
}

/** The questions that count before those of an extra walk. */
interface CountedBefore {
  /** Keys of the questions that count. */
  readonly counted: ReadonlySet<string>;
  /** How many more questions may count; none if there is not enough for the walks before. */
  readonly room: number;
}
