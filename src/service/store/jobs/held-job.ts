import type { Clock } from '../../../base/clock.ts';
import { type Ended, type Engine, Job } from '../../jobs/job.ts';
import type { JobNotices } from '../../jobs/jobs.ts';
import { cancelledBefore, givenUp, MOST_ATTEMPTS } from '../../jobs/persistence.ts';
import { type RunTrace, runJob } from '../../jobs/run-job.ts';
import { acceptedFrom, type JobRecords, NOTHING_MET, type Term } from './job-records.ts';
import type { EndKept, JobClaim, JobTurn } from './life-scripts.ts';
import { timeIn } from './mirror.ts';
import { Outbox } from './outbox.ts';
import { retried } from './retrying.ts';

/** What running a job needs from outside. */
interface HoldSurroundings {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly notices: JobNotices;
  readonly records: JobRecords;
  /** The time of day as the job sees it. */
  readonly now: () => Date;
  /** No reply of the store is waited for any longer. */
  readonly signal: AbortSignal;
}

/** What became of a job that this instance ran. */
type Held =
  | HeldToEnd
  /** It is to wait for another instance. */
  | { readonly kind: 'left' }
  /** Another instance has it by now, or the store could not be told. */
  | { readonly kind: 'lost' };

/** A job that this instance ran to its end, and whose turn it is by that. */
interface HeldToEnd {
  readonly kind: 'ended';
  readonly job: Job;
  readonly state: Ended;
  readonly trace: RunTrace;
  readonly turns: readonly JobTurn[];
}

/** A job that this instance runs. */
export class HeldJob {
  readonly #job: Job;
  readonly #term: Term;
  readonly #claim: Extract<JobClaim, { readonly kind: 'claimed' }>;
  readonly #around: HoldSurroundings;
  readonly #stop = new AbortController();
  readonly #outbox: Outbox;
  #fate: 'to-end' | 'to-leave' | 'lost' = 'to-end';

  constructor(claim: Extract<JobClaim, { readonly kind: 'claimed' }>, around: HoldSurroundings) {
    const { last, term } = claim;
    this.#claim = claim;
    this.#around = around;
    this.#job = new Job(acceptedFrom(claim.accepted), { before: last, last, blocks: [] });
    this.#job.attempts = claim.attempts;
    this.#job.firstStartedAt = timeIn(claim.firstStartedAt);
    this.#job.progress = { exchanges: claim.exchanges, pending: 0 };
    this.#term = { id: this.#job.id, term };
    this.#outbox = new Outbox(this.#job, this.#term, around, {
      lost: () => this.#lose(),
      cancelled: () => this.cancel(),
      failed: (error) => around.notices.failed(this.#job, error),
    });
  }

  cancel(): void {
    this.#stop.abort();
  }

  /** Stops it, for another instance to begin it again. */
  leave(): void {
    if (this.#stop.signal.aborted) return;
    this.#fate = 'to-leave';
    this.#stop.abort();
  }

  /** Somebody has begun to follow it. */
  followed(): void {
    this.#outbox.followed();
  }

  /** Runs it. Resolves once what came of it is stored. */
  async run(startedAt: Date): Promise<Held> {
    const { state, ...trace } = await this.#outcome(startedAt);
    await this.#outbox.close();
    switch (this.#fate) {
      case 'to-end':
        return await this.#end(state, trace);
      case 'to-leave':
        return await this.#putBack();
      case 'lost':
        return { kind: 'lost' };
    }
  }

  async #outcome(startedAt: Date): Promise<RunTrace & { readonly state: Ended }> {
    const { attempts, wish } = this.#claim;
    const { engine, now, notices } = this.#around;
    if (wish === 'cancel') return { state: cancelledBefore(this.#job, now()), ...NOTHING_MET };
    if (attempts >= MOST_ATTEMPTS) return { state: givenUp(this.#job, now()), ...NOTHING_MET };
    notices.started(this.#job, startedAt);
    const { signal } = this.#stop;
    const { audience } = this.#outbox;
    // The claim was the attempt.
    const around = { engine, now, signal, audience, began: () => {}, failed: notices.failed };
    return await runJob(this.#job, startedAt, around);
  }

  async #end(state: Ended, trace: RunTrace): Promise<Held> {
    const job = this.#job;
    job.progress = { ...job.progress, pending: 0 };
    const kept = await this.#stored(() => this.#endOnce(state, trace));
    if (kept?.kind !== 'kept') return { kind: 'lost' };
    job.state = state;
    for (let gone = 0; gone < kept.crowdedOut; gone += 1) this.#around.notices.crowdedOut(job);
    this.#around.notices.ended(job, state);
    return { kind: 'ended', job, state, trace, turns: kept.turns };
  }

  async #endOnce(state: Ended, trace: RunTrace): Promise<EndKept> {
    for (;;) {
      const kept = await this.#around.records.end(this.#term, this.#outbox.left, this.#job, state, trace);
      if (kept.kind !== 'elsewhere') return kept;
      this.#outbox.storedTo(kept.last);
    }
  }

  /** That it was stopped is no event: those after the last that is stored are void. */
  async #putBack(): Promise<Held> {
    const counted = Math.max(0, this.#job.attempts - 1);
    const left = await this.#stored(() => this.#around.records.leave(this.#term, counted));
    return left === 'left' ? { kind: 'left' } : { kind: 'lost' };
  }

  #stored<T>(what: () => Promise<T>): Promise<T | undefined> {
    return retried(what, this.#around.clock, this.#around.signal);
  }

  #lose(): void {
    this.#fate = 'lost';
    this.#stop.abort();
  }
}
