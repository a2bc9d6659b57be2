import { Fingerprints, identifiedServers } from '../../jobs/fingerprints.ts';
import { type Ended, isEnded, type Job } from '../../jobs/job.ts';
import type { JobNotices, JobSurroundings } from '../../jobs/jobs.ts';
import type { RunTrace } from '../../jobs/run-job.ts';
import { isStoreTrouble, reached } from '../connection/trouble.ts';
import { endedFrom, type JobRecords } from './job-records.ts';
import { mirror, newJob } from './mirror.ts';
import { retried } from './retrying.ts';

/** What asking servers needs from outside. */
interface AskingSurroundings extends JobSurroundings {
  readonly records: JobRecords;
  /** No reply of the store is waited for any longer. */
  readonly over: AbortSignal;
  readonly failed: (error: unknown) => void;
}

/** Asks the servers that ended jobs met what they are, and stores what they say. Nobody waits for it. */
export class ServerAsking {
  readonly #around: AskingSurroundings;
  readonly #fingerprints: Fingerprints;
  readonly #busy = new Map<string, Promise<void>>();
  readonly #drop = new AbortController();

  constructor(around: AskingSurroundings) {
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
    const { records, failed } = this.#around;
    try {
      if ((await records.adopt(id)) !== 'adopted') return;
      const stored = await records.look(id, 'state');
      if (stored !== undefined && stored.ended !== '') this.begin(newJob(stored), endedFrom(stored).trace);
    } catch (error) {
      // While the store is away nobody can be helped.
      if (!isStoreTrouble(error)) failed(error);
    }
  }

  async #ask(job: Job, trace: RunTrace): Promise<void> {
    const { engine, clock, notices, records, over } = this.#around;
    const around = { engine, clock, fingerprints: this.#fingerprints, failed: notices.failed };
    const servers = await identifiedServers(job, trace, around, this.#drop.signal);
    if (servers === undefined) await retried(() => records.disown(job.id), clock, over);
    else await retried(() => records.keepServers(job.id, servers), clock, over);
  }
}

/** What announcing needs from outside. */
interface AnnouncementsAround {
  readonly records: JobRecords;
  readonly notices: Pick<JobNotices, 'announce'>;
  /** Is told of a bug. */
  readonly failed: (error: unknown) => void;
}

/** Tells others that jobs have ended. The store remembers whom nobody has told yet, so that some instance does. */
export class Announcements {
  readonly #around: AnnouncementsAround;

  constructor(around: AnnouncementsAround) {
    this.#around = around;
  }

  /** Tells of the end of a job, and then remembers that it need not be told. Never rejects. */
  async announce(job: Job, state: Ended): Promise<void> {
    const { records, notices, failed } = this.#around;
    const announced = await notices.announce?.(job, state);
    if (announced === 'done' && state.startedAt !== undefined)
      await reached(() => records.announced(job.id)).catch(failed);
  }

  /** Tells of ends in the place of instances that are no more. Rejects if the store is away. */
  async announceOwed(): Promise<void> {
    const { records, notices } = this.#around;
    if (notices.announce === undefined) return;
    for (const id of await records.owed()) await this.#announceFor(id);
  }

  async #announceFor(id: string): Promise<void> {
    const stored = await this.#around.records.look(id, 'state');
    if (stored === undefined || stored.ended === '') return;
    const job = newJob(stored);
    mirror(stored, job);
    if (isEnded(job.state)) void this.announce(job, job.state);
  }
}
