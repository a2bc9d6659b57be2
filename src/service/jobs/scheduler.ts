import { onAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { Counts } from '../../base/counts.ts';
import { TurnLine } from '../../base/turn-line.ts';
import { blocksOf, THIS_HOST } from '../client.ts';
import { type AdmissionRules, type FullQueue, Slots } from './admission.ts';
import { type JobBid, type JobRun, QUIET_MS, RunningJob } from './running-job.ts';

/**
 * Decides which jobs begin, and which of those that run may work.
 *
 * `maxJobs` jobs at a time have a slot, with which a job may send. While others wait for a slot, a job that only waits for replies
 * gives its slot up, and gets in line again once it wants to send; and a job that has had its slot for a second gives it up if
 * its party has more slots than the party of a job that waits. A job without a slot goes on hearing what it asked for, and loses
 * nothing but time. So jobs whose name servers are silent, or slow on purpose, hold nobody up. Jobs that have not begun and jobs
 * that wait for their next slot stand in two lines (`TurnLine`), which take turns.
 *
 * Memory stays bounded all the same: `RUNNING_PER_SLOT` times as many jobs run, of which `maxJobs` may have heard more than
 * 1 MiB.
 */
export class Scheduler {
  readonly #rules: AdmissionRules;
  readonly #clock: Clock;
  readonly #queue = new TurnLine<Queued>();
  readonly #paused = new TurnLine<RunningJob>();
  readonly #runningOf = new Counts();
  #running = 0;
  /** Those that have a slot, from the one that has had it longest. */
  readonly #working = new Set<RunningJob>();
  readonly #slotsOf = new Counts();
  readonly #heavy: Slots;
  /** The line that may go first. */
  #first: 'queue' | 'paused' = 'queue';
  #cancelTimer = () => {};

  constructor(rules: AdmissionRules, clock: Clock) {
    this.#rules = rules;
    this.#clock = clock;
    this.#heavy = new Slots(rules.maxJobs);
  }

  /** How many wait to begin. */
  get waiting(): number {
    return this.#queue.length;
  }

  /**
   * How many more would be of use: those that would begin at once, and one that may take the place of a job which has had its
   * slot for long.
   */
  get room(): number {
    const { maxJobs } = this.#rules;
    const now = this.#clock.now();
    const working = [...this.#working];
    const free = maxJobs - working.filter((job) => !job.isQuiet(now)).length;
    const isForOne = working.some(({ workingSince }) => now - workingSince >= SLOT_MS);
    const slots = Math.max(free, isForOne ? 1 : 0) - this.waiting;
    return Math.max(0, Math.min(slots, maxJobs * RUNNING_PER_SLOT - this.#running));
  }

  /** How many begin before the one that waits with this signal, unless more come; undefined if it does not wait. */
  ahead(signal: AbortSignal): number | undefined {
    return this.#queue.placeOf((queued) => queued.signal === signal);
  }

  /**
   * Makes room for one more job of a party, and says why there is none. In a full queue the last job of the block of
   * addresses with most jobs makes room for a newcomer from one with fewer.
   */
  makeRoom(party: string): FullQueue | undefined {
    const { maxQueue, maxQueuePerClient } = this.#rules;
    const bidder = this.#bidderOf(party);
    if (this.#mayBegin(bidder) && this.#mayHaveSlot(bidder)) return undefined;
    if (party !== THIS_HOST && this.#queue.lengthOf(party) >= maxQueuePerClient) return 'client-queue-full';
    if (this.#queue.length < maxQueue) return undefined;
    const victim = this.#queue.crowdedOutBy(bidder);
    if (victim === undefined) return 'queue-full';
    this.#queue.leave(victim);
    victim.crowdedOut();
    return undefined;
  }

  /** Waits until a job of the party may begin. Its place is given back with `end`. `gone`: the signal is aborted first. */
  begin(party: string, signal: AbortSignal): Promise<JobRun | 'gone' | 'crowded-out'> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve('gone');
      const bidder = this.#bidderOf(party);
      const settle = (outcome: JobRun | 'gone' | 'crowded-out') => {
        stay();
        resolve(outcome);
      };
      const queued: Queued = {
        ...bidder,
        signal,
        crowdedOut: () => settle('crowded-out'),
        go: () => settle(this.#run(bidder)),
      };
      const stay = onAbort(signal, () => {
        this.#queue.leave(queued);
        resolve('gone');
        this.#serve();
      });
      this.#queue.join(queued);
      this.#serve();
    });
  }

  /** Exempt clients take turns like all others, but only the bounds of the whole service hold for them. */
  #bidderOf(party: string): JobBid {
    const { maxJobs, maxJobsPerClient } = this.#rules;
    return { party, blocks: blocksOf(party), most: party === THIS_HOST ? maxJobs : maxJobsPerClient };
  }

  #mayBegin({ blocks, most }: JobBid): boolean {
    if (this.#running >= this.#rules.maxJobs * RUNNING_PER_SLOT) return false;
    const [own, ...above] = blocks.map(({ name }) => this.#runningOf.of(name));
    return (own ?? 0) < most && above.every((count) => count < most * PARTIES_OF_A_BLOCK);
  }

  #mayHaveSlot(bidder: JobBid): boolean {
    return this.#working.size < this.#rules.maxJobs || this.#victimOf(bidder) !== undefined;
  }

  /** The job that gives its slot up to this party: one that only waits, or one of the party that has most slots. */
  #victimOf({ party }: JobBid): RunningJob | undefined {
    const now = this.#clock.now();
    let most = this.#slotsOf.of(party);
    let victim: RunningJob | undefined;
    for (const job of this.#working) {
      if (job.isQuiet(now)) return job;
      const slots = this.#slotsOf.of(job.party);
      if (now - job.workingSince < SLOT_MS || slots <= most) continue;
      most = slots;
      victim = job;
    }
    return victim;
  }

  #run(bidder: JobBid): JobRun {
    const { party, blocks } = bidder;
    this.#running += 1;
    for (const { name } of blocks) this.#runningOf.add(name);
    const job = new RunningJob(bidder, {
      now: () => this.#clock.now(),
      heavy: this.#heavy,
      wantsSlot: () => {
        this.#paused.join(job);
        this.#serve();
      },
      gaveUp: () => {
        this.#paused.leave(job);
        if (this.#working.delete(job)) this.#slotsOf.remove(party);
        this.#serve();
      },
      ended: () => {
        this.#running -= 1;
        for (const { name } of blocks) this.#runningOf.remove(name);
        this.#serve();
      },
    });
    this.#work(job);
    return job;
  }

  #work(job: RunningJob): void {
    const victim = this.#working.size < this.#rules.maxJobs ? undefined : this.#victimOf(job);
    if (victim !== undefined && this.#working.delete(victim)) this.#slotsOf.remove(victim.party);
    this.#working.add(job);
    this.#slotsOf.add(job.party);
    job.work();
    victim?.pause();
  }

  #serve(): void {
    while (this.#serveOne());
    this.#cancelTimer();
    this.#cancelTimer = () => {};
    if (this.#queue.length + this.#paused.length === 0) return;
    this.#cancelTimer = this.#clock.after(QUIET_MS, () => this.#serve());
  }

  #serveOne(): boolean {
    const begin = () => {
      const queued = this.#queue.next((one) => this.#mayBegin(one) && this.#mayHaveSlot(one));
      if (queued !== undefined) this.#first = 'paused';
      queued?.go();
      return queued !== undefined;
    };
    const goOn = () => {
      const job = this.#paused.next((one) => this.#mayHaveSlot(one));
      if (job !== undefined) this.#first = 'queue';
      if (job !== undefined) this.#work(job);
      return job !== undefined;
    };
    return this.#first === 'queue' ? begin() || goOn() : goOn() || begin();
  }
}

/** How many jobs run for each slot: the others wait for a slot. */
const RUNNING_PER_SLOT = 8;

/** A block of several parties may run as many jobs as so many parties. */
const PARTIES_OF_A_BLOCK = 2;

/** How long a job has its slot for itself. Most jobs end within that time. */
const SLOT_MS = 1_000;

/** A job that waits to begin. */
interface Queued extends JobBid {
  readonly signal: AbortSignal;
  readonly go: () => void;
  readonly crowdedOut: () => void;
}
