import { letOthersRun } from '../../base/event-loop.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import type { QueryRank } from '../../exchange/query.ts';
import type { Exploration } from './exploration.ts';
import type { WantedQuery } from './questions.ts';

/**
 * Asks breadth first: a round is all that is known when it begins, and the next one begins only when all
 * of these have ended. What counts is the same whoever answers first. Void once `stop` is aborted.
 */
export async function askInRounds(rounds: Rounds): Promise<Counted> {
  const { counted, beyond } = await choose(rounds);
  const vain = inVain(counted, rounds);
  return rounds.exploration.exceedsWork
    ? { counted, work: 'exceeded', beyondQueries: beyond, beyondWork: vain }
    : { counted, work: 'enough', beyondQueries: [...beyond, ...vain], beyondWork: [] };
}

/** What questions are asked in rounds with. */
interface Rounds {
  /** Of the same walk; has heard nothing yet. */
  readonly exploration: Exploration;
  readonly rank: QueryRank;
  /** By key: every question of the rank that is known, whoever replied first. */
  readonly known: ReadonlyMap<string, WantedQuery>;
  /** How many questions count at most. */
  readonly room: number;
  /** Whether a question counts anyway, without taking room, by its key. */
  readonly isCounted: (key: string) => boolean;
  /** Puts those on the wire that were not, and waits for all of them. */
  ask(questions: readonly WantedQuery[]): Promise<void>;
  readonly heard: ReadonlyMap<string, Exchanged>;
  readonly stop: AbortSignal;
}

/** The questions that do not count, asked or not: which of them were asked depends on who replied first. */
export interface LeftOut {
  readonly beyondQueries: readonly WantedQuery[];
  readonly beyondWork: readonly WantedQuery[];
}

/** What came of asking, apart from replies. */
export interface Counted extends LeftOut {
  /** Keys of the questions that count. */
  readonly counted: ReadonlySet<string>;
  /** Whether that is all to which there was work enough to come. */
  readonly work: 'enough' | 'exceeded';
}

/** What counts in rounds. */
interface Chosen {
  readonly counted: ReadonlySet<string>;
  /** Those that became known and do not count. */
  readonly beyond: readonly WantedQuery[];
}

/** What was heard although it does not count: rounds may not come to it, as what led to it does not count either. */
function inVain(counted: ReadonlySet<string>, { known, heard, isCounted }: Rounds): readonly WantedQuery[] {
  return [...known.values()].filter(({ key }) => heard.has(key) && !counted.has(key) && !isCounted(key));
}

/** Asks as many as there is room for. */
async function choose(rounds: Rounds): Promise<Chosen> {
  const { exploration, rank, stop } = rounds;
  const counted = new Set<string>();
  const beyond: WantedQuery[] = [];
  let left = rounds.room;
  const counts = ({ key }: WantedQuery): boolean => {
    if (counted.has(key)) return true;
    if (!rounds.isCounted(key)) {
      if (left === 0) return false;
      left -= 1;
    }
    counted.add(key);
    return true;
  };
  const learn = ({ key }: WantedQuery) => {
    const exchanged = rounds.heard.get(key);
    if (exchanged !== undefined) exploration.learn(exchanged);
  };
  let round = nextRound(exploration, rank);
  while (round.length > 0 && !stop.aborted) {
    const now: WantedQuery[] = [];
    for (const wanted of round) (counts(wanted) ? now : beyond).push(wanted);
    await rounds.ask(now);
    // What was heard already needs no waiting: other traversals of the thread do, for their replies.
    await letOthersRun();
    for (const wanted of now) learn(wanted);
    round = nextRound(exploration, rank);
  }
  return { counted, beyond };
}

/** The walk goes before the zones on the way. */
function nextRound(exploration: Exploration, rank: QueryRank): readonly WantedQuery[] {
  const walk = exploration.takeWanted();
  return walk.length === 0 && rank === 'check' ? exploration.takeZoneQuestions() : walk;
}
