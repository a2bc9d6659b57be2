import type { TraversalResult } from '../../document/result.ts';
import { asExpected, pauseAfter } from '../../report/views/conclusion.ts';
import {
  type Copies,
  copiesIn,
  type Lifetime,
  lifetimeMs,
  lifetimes,
} from '../../report/views/old-copies.ts';
import { usageError } from '../process/errors.ts';
import { type Contact, eachRound, type Obstacle, type Rounds } from './traverse-repeatedly.ts';

/**
 * Traverses until everybody gets only what is expected, and with `caches` until no resolver can hold an old copy; until
 * `forMs` is over, or it is stopped. A round that has begun by then is finished. Returns how it stands in the end.
 * Throws a `CommandError` if a service lacks the view that `caches` needs.
 */
export async function waitUntilExpected(waiting: Waiting): Promise<Standing> {
  const { tell, clock, forMs } = waiting;
  const start = clock.now();
  const deadline = start + forMs;
  const copies = new OldCopies();
  let standing: Standing = { kind: 'unheard' };
  const next = async (seen: TraversalResult | Obstacle, began: number) => {
    const now = clock.now();
    standing = 'kind' in seen ? { kind: 'unheard' } : standingOf(seen, waiting, copies, now);
    if (standing.kind !== 'unheard') await tell(standing);
    if (standing.kind === 'expected' || now >= deadline) return undefined;
    const again = Math.max(began + (waiting.everyMs ?? pauseAfter(now - start)), now + refusedFor(seen));
    return Math.min(again, deadline, ...(standing.kind === 'held' ? [standing.until] : []));
  };
  await eachRound({ ...waiting, next });
  return standing;
}

/** What is waited for, and how. */
export interface Waiting extends Rounds<Told> {
  /** `servers`: every path has to end in what is expected, not only users get it. */
  readonly who: 'users' | 'servers';
  readonly caches: boolean;
  /** From the start of a round to that of the next; absent: a pace that slows down. */
  readonly everyMs?: number | undefined;
  readonly forMs: number;
}

/** What there is to tell of each round, and once of those in which nothing is heard. */
export type Told = Contact | Heard;

/** How it stands after a round in which something was heard. */
export type Heard =
  /** `unknown`: all that is known is expected. `oldTtls`: of `caches`, where no other answer was seen. */
  | {
      readonly kind: 'expected' | 'unexpected' | 'unknown';
      readonly result: TraversalResult;
      readonly oldTtls?: 'unseen';
    }
  /** Servers give only what is expected, but resolvers can hold old copies until a time of the clock. */
  | {
      readonly kind: 'held';
      readonly result: TraversalResult;
      readonly until: number;
      readonly lives: readonly Lifetime[];
    };

/** How it stands. `unheard`: nothing can be said of the name. */
export type Standing = Heard | { readonly kind: 'unheard' };

/** How long a service wants no further job. */
function refusedFor(seen: TraversalResult | Obstacle): number {
  if (!('kind' in seen) || seen.kind !== 'failure') return 0;
  return 'retryAfterMs' in seen.failure ? (seen.failure.retryAfterMs ?? 0) : 0;
}

function standingOf(
  result: TraversalResult,
  { who, caches }: Pick<Waiting, 'who' | 'caches'>,
  copies: OldCopies,
  now: number,
): Heard {
  if (caches && result.views.warm === undefined)
    throw usageError(
      "--caches counts the zones' own NS records, which were not asked for: the service leaves them out, so add --views all",
    );
  const kind = asExpected(result, who);
  if (kind === 'unexpected') copies.note(result);
  if (!caches || kind !== 'expected') return { kind, result };
  const held = copies.heldAfter(result, now);
  if (held === 'unseen') return { kind, result, oldTtls: held };
  return held.until <= now ? { kind, result } : { kind: 'held', result, ...held };
}

/** What resolvers can hold of the time before servers gave only what is expected. */
class OldCopies {
  #seen: Copies | undefined;
  #held: Pick<Extract<Heard, { kind: 'held' }>, 'until' | 'lives'> | undefined;

  note(result: TraversalResult): void {
    this.#seen = copiesIn(result, this.#seen);
    this.#held = undefined;
  }

  /**
   * The last moment at which resolvers can hold an old copy, counted from the first result with only expected ends;
   * `unseen` if no result before it had others.
   */
  heldAfter(result: TraversalResult, now: number) {
    if (this.#seen === undefined) return 'unseen';
    const lives = lifetimes(this.#seen, result);
    this.#held ??= { lives, until: now + lifetimeMs(lives) };
    return this.#held;
  }
}
