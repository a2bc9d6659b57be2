import { ask, start } from '../../http-client.ts';
import type { Spot } from './instances.ts';

/** A request that may find nobody. */
export type Tried = { readonly status: number; readonly text: string } | undefined;

/** Makes a request; undefined if nobody replied. */
export async function tried(
  asking: () => Promise<{ readonly status: number; readonly text: string }>,
): Promise<Tried> {
  return await asking().catch(() => undefined);
}

/** Starts a job at any instance, for a client or for this host, trying others until one accepts it. Gives its identifier. */
export async function submitSomewhere(
  spots: readonly Spot[],
  body: object,
  first: number,
  client?: string,
): Promise<string> {
  const headers = client === undefined ? {} : { 'X-Forwarded-For': client };
  for (let turn = first; ; turn += 1) {
    const spot = spots[turn % spots.length];
    const reply = spot && (await tried(() => start(spot, body, headers)));
    if (reply?.status === 202) return JSON.parse(reply.text).id;
    await soon(50);
  }
}

/** Reads a job at any instance that knows. */
export async function readSomewhere(spots: readonly Spot[], id: string, first: number) {
  for (let turn = first; ; turn += 1) {
    const spot = spots[turn % spots.length];
    const reply = spot && (await tried(() => ask(spot, 'GET', `/api/traverse/${id}`)));
    if (reply?.status === 200) return JSON.parse(reply.text);
    if (reply?.status === 404) return { status: 'lost' };
    await soon(50);
  }
}

export function soon(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Does something for each of some rows, so many at once. */
export async function atOnce<Row, Done>(
  rows: readonly Row[],
  most: number,
  work: (row: Row, at: number) => Promise<Done>,
): Promise<readonly Done[]> {
  const done: Done[] = [];
  let next = 0;
  const worker = async () => {
    while (next < rows.length) {
      const at = next;
      next += 1;
      const row = rows[at];
      if (row !== undefined) done[at] = await work(row, at);
    }
  };
  await Promise.all(Array.from({ length: most }, worker));
  return done;
}
