import type { Job, JobRequest } from './job.ts';

/** How long an Idempotency-Key holds. */
export const KEY_LIFE_MS = 86_400_000;

/** The key of a request in the header Idempotency-Key; `invalid` if the header is no key. */
export function readIdempotencyKey(header: string | undefined): string | 'none' | 'invalid' {
  if (header === undefined) return 'none';
  return /^[!-~]{1,255}$/.test(header) ? `"${header}"` : 'invalid';
}

/** A request as text, which is the same for the same request. */
export function requestText(request: JobRequest): string {
  return JSON.stringify(request);
}

/** The jobs of this process by the keys that their clients gave them. */
export class UsedKeys {
  readonly #jobs = new Map<string, Job>();

  /** The job that the client started with this key in the last day. */
  jobOf(client: string, key: string, now: Date): Job | undefined {
    const job = this.#jobs.get(placeOf(client, key));
    return job !== undefined && now.getTime() - job.createdAt.getTime() < KEY_LIFE_MS ? job : undefined;
  }

  add(job: Job): void {
    if (job.key !== undefined) this.#jobs.set(placeOf(job.owner.client, job.key), job);
  }

  remove(job: Job): void {
    if (job.key === undefined) return;
    const place = placeOf(job.owner.client, job.key);
    if (this.#jobs.get(place) === job) this.#jobs.delete(place);
  }
}

function placeOf(client: string, key: string): string {
  return `${client} ${key}`;
}
