/* After a job: asks the servers that it met for their software, and tells others that it has ended. */

import { Fingerprints, identifiedServers } from '../../jobs/fingerprints.ts';
import { type Ended, isEnded, type Job } from '../../jobs/job.ts';
import type { JobSurroundings } from '../../jobs/jobs.ts';
import type { RunTrace } from '../../jobs/run-job.ts';
import { isStoreTrouble } from '../trouble.ts';
import { endedFrom, isOver, newJob, type Reading, update } from './reading.ts';
import { retried } from './retrying.ts';
import type { Upkeep } from './upkeep.ts';

/** What is needed from outside for jobs that have ended. */
interface AfterEnd extends JobSurroundings {
  readonly upkeep: Upkeep;
  readonly reading: Reading;
  /** No reply of the store is waited for any longer. */
  readonly over: AbortSignal;
  /** Is told of a bug. */
  readonly failed: (error: unknown) => void;
}

/** Asks the servers that ended jobs met which software they run, and stores the list. Nobody waits for it. */
export class ServerAsking {
  readonly #around: AfterEnd;
  readonly #fingerprints: Fingerprints;
  readonly #busy = new Map<string, Promise<void>>();
  readonly #drop = new AbortController();

  constructor(around: AfterEnd) {
    this.#around = around;
    this.#fingerprints = new Fingerprints(around.engine, around.clock);
  }

  /** How many jobs it is at. */
  get count(): number {
    return this.#busy.size;
  }

  /** Resolves once all is done that was begun. */
  async settled(): Promise<void> {
    await Promise.all(this.#busy.values());
  }

  /** Stops, and leaves what is not done to other instances. */
  stop(): void {
    this.#drop.abort();
  }

  begin(job: Job, trace: RunTrace): void {
    if (this.#busy.has(job.id)) return;
    const asked = this.#ask(job, trace).catch(this.#around.failed);
    this.#busy.set(
      job.id,
      asked.finally(() => this.#busy.delete(job.id)),
    );
  }

  /** Asks in the place of an instance that is no more. */
  async adopt(id: string): Promise<void> {
    if (this.#drop.signal.aborted || this.#busy.has(id)) return;
    const { upkeep, reading, failed } = this.#around;
    try {
      if ((await upkeep.adopt(id)) !== 'adopted') return;
      const stored = await reading.look(id, 'state');
      if (stored !== undefined && isOver(stored)) this.begin(newJob(stored), endedFrom(stored).trace);
    } catch (error) {
      // While the store is away nobody can be helped.
      if (!isStoreTrouble(error)) failed(error);
    }
  }

  async #ask(job: Job, trace: RunTrace): Promise<void> {
    const { engine, clock, notices, upkeep, over } = this.#around;
    const around = { engine, clock, fingerprints: this.#fingerprints, failed: notices.failed };
    const servers = await identifiedServers(job, trace, around, this.#drop.signal);
    if (servers === undefined) await retried(() => upkeep.disown(job.id), clock, over);
    else await retried(() => upkeep.keepServers(job.id, servers), clock, over);
  }
}

/** Tells others that jobs have ended. The store remembers which instance owes that, so that another inherits it. */
export class Announcements {
  readonly #around: AfterEnd;

  constructor(around: AfterEnd) {
    this.#around = around;
  }

  /** Tells of the end of a job, and then remembers that it need not be told. Never rejects. */
  async announce(job: Job, state: Ended): Promise<void> {
    const { upkeep, clock, over, notices, failed } = this.#around;
    if (notices.announce === undefined || state.startedAt === undefined) return;
    if ((await notices.announce(job, state)) === 'done')
      await retried(() => upkeep.announced(job.id), clock, over).catch(failed);
  }

  /** Tells of ends in the place of instances that are no more. Rejects if the store is away. */
  async announceOwed(): Promise<void> {
    const { upkeep, notices } = this.#around;
    if (notices.announce === undefined) return;
    for (const id of await upkeep.owed()) await this.#announceFor(id);
  }

  async #announceFor(id: string): Promise<void> {
    const stored = await this.#around.reading.look(id, 'state');
    if (stored === undefined || !isOver(stored)) return;
    const job = newJob(stored);
    update(job, stored);
    if (isEnded(job.state)) void this.announce(job, job.state);
  }
}
