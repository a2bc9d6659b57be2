import { followEvents } from './event-reader.ts';

/** A job that has ended. */
interface RunJob {
  /** Milliseconds until its traversal ended. */
  readonly tookMs: number;
  readonly self: string;
}

/** Has a service do a job, and follows it to its end. */
export async function runJob(url: string, body: Readonly<Record<string, unknown>>): Promise<RunJob> {
  const start = performance.now();
  const response = await fetch(`${url}/api/traverse`, { method: 'POST', body: JSON.stringify(body) });
  const text = await response.text();
  if (response.status !== 202) throw new Error(`${response.status} ${text}`);
  const { self, events } = JSON.parse(text).links;
  let ended = 0;
  await followEvents(`${url}${events}`, ({ event }) => {
    if (event === 'complete') ended = performance.now();
  });
  if (ended === 0) throw new Error(`${JSON.stringify(body)} did not complete`);
  return { tookMs: ended - start, self: `${url}${self}` };
}
