/* After a job: asks the servers that it met for their software, and tells others that it has ended. */

import { Fingerprints, identifiedServers } from '../../jobs/fingerprints.ts';
import type { Ended, Job } from '../../jobs/job.ts';
import type { RunTrace } from '../../jobs/run-job.ts';
import { type EndedJob, endedJobIn } from './reading.ts';
import type { SharedSurroundings } from './surroundings.ts';

/**
 * Asks the servers that ended jobs met which software they run, stores the list, and tells others that jobs have ended.
 * Nobody waits for that. The store remembers which instance owes it, so that another inherits it.
 */
export class AfterEnd {
  readonly #around: SharedSurroundings;
  readonly #fingerprints: Fingerprints;
  readonly #asking = new Map<string, Promise<void>>();
  readonly #announcing = new Set<string>();
  readonly #drop = new AbortController();

  constructor(around: SharedSurroundings) {
    this.#around = around;
    this.#fingerprints = new Fingerprints(around.engine, around.clock);
  }

  begin({ job, state, trace }: EndedJob): void {
    this.announce(job, state);
    this.#ask(job.id, () => this.#askServers(job, trace));
  }

  /** Resolves once all servers are asked. */
  async settled(): Promise<void> {
    await Promise.all(this.#asking.values());
  }

  /** Stops asking, and leaves the rest to other instances. */
  stop(): void {
    this.#drop.abort();
  }

  /** Tells others that a job has ended, and the store that they are told. */
  announce(job: Job, state: Ended): void {
    const { notices, failed } = this.#around;
    if (notices.announce === undefined || state.startedAt === undefined) return;
    this.#announcing.add(job.id);
    notices
      .announce(job, state)
      .then((outcome) => (outcome === 'done' ? this.#announced(job.id) : undefined))
      .catch(failed);
  }

  async #announced(id: string): Promise<void> {
    const { upkeep, stored } = this.#around;
    await stored(() => upkeep.announced(id));
    this.#announcing.delete(id);
  }

  /** Asks the servers of a job in the place of an instance that is no more. */
  adopt(id: string): void {
    const { upkeep, stored, unreadable } = this.#around;
    if (this.#drop.signal.aborted) return;
    this.#ask(id, async () => {
      const record = await stored(() => upkeep.adopt(id));
      if (record === undefined) return;
      const ended = unreadable.read(id, () => endedJobIn(record));
      if (ended !== undefined) await this.#askServers(ended.job, ended.trace);
      else await stored(() => upkeep.disown(id));
    });
  }

  /** Announces ends that no instance announces. `running`: the jobs that run here, which announce their own ends. */
  async announceOwed(running: readonly string[]): Promise<void> {
    const { upkeep, notices, unreadable } = this.#around;
    if (notices.announce === undefined) return;
    for (const record of await upkeep.owed([...running, ...this.#announcing, ...unreadable.ids])) {
      const ended = unreadable.read(record.id, () => endedJobIn(record));
      if (ended !== undefined) this.announce(ended.job, ended.state);
    }
  }

  #ask(id: string, ask: () => Promise<void>): void {
    if (this.#asking.has(id)) return;
    const asked = ask().catch(this.#around.failed);
    this.#asking.set(
      id,
      asked.finally(() => this.#asking.delete(id)),
    );
  }

  async #askServers(job: Job, trace: RunTrace): Promise<void> {
    const { engine, clock, notices, upkeep, stored } = this.#around;
    const around = { engine, clock, fingerprints: this.#fingerprints, failed: notices.failed };
    const servers = await identifiedServers(job, trace, around, this.#drop.signal);
    await stored(() => (servers === undefined ? upkeep.disown(job.id) : upkeep.keepServers(job.id, servers)));
  }
}
