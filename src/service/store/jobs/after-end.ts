/* After a job: asks the servers that it met for their software, and tells others that it has ended. */

import { Fingerprints, identifiedServers } from '../../jobs/fingerprints.ts';
import type { Ended, Job } from '../../jobs/job.ts';
import type { RunTrace } from '../../jobs/run-job.ts';
import type { EndedJob } from './reading.ts';
import type { SharedSurroundings } from './surroundings.ts';

/**
 * Asks the servers that ended jobs met which software they run, stores the list, and tells others that jobs have ended.
 * Nobody waits for that. The store remembers which instance owes it, so that another inherits it.
 */
export class AfterEnd {
  readonly #around: SharedSurroundings;
  readonly #fingerprints: Fingerprints;
  readonly #asking = new Map<string, Promise<void>>();
  readonly #drop = new AbortController();

  constructor(around: SharedSurroundings) {
    this.#around = around;
    this.#fingerprints = new Fingerprints(around.engine, around.clock);
  }

  begin({ job, state, trace }: EndedJob): void {
    this.#announce(job, state);
    this.#ask(job, trace);
  }

  /** Resolves once all servers are asked. */
  async settled(): Promise<void> {
    await Promise.all(this.#asking.values());
  }

  /** Stops asking, and leaves the rest to other instances. */
  stop(): void {
    this.#drop.abort();
  }

  /** Asks the servers of a job in the place of an instance that is no more. */
  async adopt(id: string): Promise<void> {
    if (this.#drop.signal.aborted || this.#asking.has(id)) return;
    const ended = await this.#around.upkeep.adopt(id);
    if (ended !== undefined) this.#ask(ended.job, ended.trace);
  }

  /** Tells of ends in the place of instances that are no more. */
  async announceOwed(): Promise<void> {
    const { upkeep, notices } = this.#around;
    if (notices.announce === undefined) return;
    for (const { job, state } of await upkeep.owed()) this.#announce(job, state);
  }

  #announce(job: Job, state: Ended): void {
    const { upkeep, stored, notices, failed } = this.#around;
    if (notices.announce === undefined || state.startedAt === undefined) return;
    notices
      .announce(job, state)
      .then((outcome) => (outcome === 'done' ? stored(() => upkeep.announced(job.id)) : undefined))
      .catch(failed);
  }

  #ask(job: Job, trace: RunTrace): void {
    if (this.#asking.has(job.id)) return;
    const asked = this.#askServers(job, trace).catch(this.#around.failed);
    this.#asking.set(
      job.id,
      asked.finally(() => this.#asking.delete(job.id)),
    );
  }

  async #askServers(job: Job, trace: RunTrace): Promise<void> {
    const { engine, clock, notices, upkeep, stored } = this.#around;
    const around = { engine, clock, fingerprints: this.#fingerprints, failed: notices.failed };
    const servers = await identifiedServers(job, trace, around, this.#drop.signal);
    await stored(() => (servers === undefined ? upkeep.disown(job.id) : upkeep.keepServers(job.id, servers)));
  }
}
