import { request } from 'node:http';
import type { Test } from 'tap';
import { ask, type Place, start } from '../../http-client.ts';
import { type Entry, type Spawned, startServe } from '../../spawned.ts';
import { eventsIn } from '../../test-service.ts';

/** Where an instance listens; undefined while it is dead. */
export type Spot = Place | undefined;

/** A process that is, or was, an instance. */
export interface Life {
  readonly end: 'killed' | 'none';
  readonly entries: () => readonly Entry[];
}

/** Instances of a service in processes of their own, one of which may be dead at any time. */
export interface Fleet {
  /** Where they are now: to be looked up again for every request. */
  readonly spots: readonly Spot[];
  /** Kills one at once, and starts another in its place. */
  readonly replace: (at: number) => Promise<void>;
  /** All that there were. */
  readonly lives: () => readonly Life[];
}

/** Starts so many instances, which are gone when the test ends. */
export async function startFleet(
  t: Test,
  count: number,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Fleet> {
  const all = await Promise.all(Array.from({ length: count }, () => startServe(t, args, env)));
  const dead: Spawned[] = [];
  const spots: Spot[] = all.map(spotOf);
  return {
    spots,
    replace: async (at) => {
      const one = all[at];
      if (one === undefined) return;
      // Its port may be anybody's from now on.
      spots[at] = undefined;
      one.kill('SIGKILL');
      await one.exit;
      dead.push(one);
      const another = await startServe(t, args, env);
      all[at] = another;
      spots[at] = spotOf(another);
    },
    lives: () => [
      ...dead.map(({ entries }) => ({ end: 'killed', entries }) as const),
      ...all.filter((one) => !dead.includes(one)).map(({ entries }) => ({ end: 'none', entries }) as const),
    ],
  };
}

function spotOf({ host, port }: Spawned): Spot {
  return { host, port };
}

/** An event as it was told: its number and its name. */
export type Told = readonly [id: number, name: string];

/** How long one instance is listened to. */
const TURN_MS = 400;

/** Follows a job from instance to instance, by a few events at each, until its servers are known. */
export async function followAround(
  spots: readonly Spot[],
  id: string,
  first: number,
): Promise<readonly Told[]> {
  const told: Told[] = [];
  for (let turn = first; told.at(-1)?.[1] !== 'servers'; turn += 1) {
    const spot = spots[turn % spots.length];
    // A dead instance is not to be asked all the time.
    if (spot === undefined) await soon(50);
    const text = spot === undefined ? '' : await listen(spot, `/api/traverse/${id}/events`, told.at(-1)?.[0]);
    // What was cut off in the middle comes again.
    const whole = text.slice(0, text.lastIndexOf('\n\n') + 2);
    told.push(...eventsIn(whole).map(([number, name]) => [number, name] as const));
  }
  return told;
}

/** What an instance says within a turn; nothing if it is dead. */
function listen({ host, port }: Place, path: string, seen: number | undefined): Promise<string> {
  const headers = seen === undefined ? {} : { 'Last-Event-ID': `${seen}` };
  return new Promise((resolve) => {
    let text = '';
    const made = request({ host, port, path, headers, agent: false }, (response) => {
      if (response.statusCode === 200) response.setEncoding('utf8').on('data', (piece) => (text += piece));
      response.on('error', end).on('close', end);
    });
    const timer = setTimeout(end, TURN_MS);
    function end(): void {
      clearTimeout(timer);
      made.destroy();
      // A dead instance is not to be asked all the time.
      setTimeout(resolve, 50, text);
    }
    made.on('error', end).end();
  });
}

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
