import { type Ended, isEnded, type Job } from '../../jobs/job.ts';
import type { JobNotices } from '../../jobs/job-store.ts';
import { reached } from '../connection/reached.ts';
import type { JobRecords } from './job-records.ts';
import { mirror, newJob } from './mirror.ts';

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
