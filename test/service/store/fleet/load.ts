/* The clients of a fleet: they start jobs, follow them from instance to instance, and note what they see. */

import { request } from 'node:http';
import { setTimeout as passed } from 'node:timers/promises';
import { type Answer, ask, type Place, start } from '../../http-client.ts';
import { eventsIn } from '../../test-service.ts';
import { type Entry, monotonicNow } from './history.ts';

/** What clients know. */
export interface Surroundings {
  /** Where instances listen; undefined: dead. */
  readonly places: readonly (Place | undefined)[];
  readonly note: (entry: Entry) => void;
  /** Aborted when nobody waits for anything any more. */
  readonly patience: AbortSignal;
}

/** A job to start. */
interface Wanted {
  readonly name: string;
  readonly client: string;
}

/** Bursts of jobs of clients of their own, one client that wants more than its bucket, and one with more slow jobs than may run. */
export class Load {
  readonly #clients: Surroundings;
  readonly #accepted: string[] = [];
  readonly #following: Promise<void>[] = [];
  #posted = 0;

  constructor(clients: Surroundings) {
    this.#clients = clients;
  }

  /** Goes on until it is over; resolves when no POST is under way. */
  async run(isOver: () => boolean): Promise<void> {
    await Promise.all([this.#bursts(isOver), this.#greedy(isOver), this.#busy(isOver)]);
  }

  /** Starts a job of a name that is like this one, as a client of its own; tries until it is accepted. */
  readonly submit = async (like: string): Promise<string> => {
    for (;;) {
      const job = await this.#post(
        like,
        `198.${18 + (this.#posted >> 16)}.${(this.#posted >> 8) & 255}.${this.#posted & 255}`,
      );
      if (job !== undefined) return job;
      if (this.#clients.patience.aborted) throw new Error('no instance accepts a job');
      await passed(PAUSE_MS * 2);
    }
  };

  /** Resolves when every job that was accepted has ended, and somebody has followed it. */
  async ended(): Promise<void> {
    await atOnce(this.#accepted, 16, async (job) => {
      await readToEnd(this.#clients, job);
      await follow(this.#clients, job);
    });
    await Promise.all(this.#following);
  }

  async #post(like: string, client: string): Promise<string | undefined> {
    this.#posted += 1;
    // A name that was refused must not run, so it is not used again.
    const job = await post(this.#clients, { name: `n${this.#posted}.${like}.`, client });
    if (job !== undefined) this.#accepted.push(job);
    return job;
  }

  async #bursts(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const jobs = Array.from({ length: BURST }, (_, at) => at);
      await atOnce(jobs, 8, async (at) => {
        const job = await this.submit(at % SLOW_EVERY === 0 ? 'slow.test' : 'shop.test');
        if (at % FOLLOWED_EVERY === 0) this.#following.push(follow(this.#clients, job));
      });
      await passed(BURST_EVERY_MS);
    }
  }

  async #greedy(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await this.#post('shop.test', '203.0.113.7');
      await passed(GREEDY_EVERY_MS);
    }
  }

  async #busy(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await this.#post('slow.test', '203.0.113.8');
      await passed(BUSY_EVERY_MS);
    }
  }
}

/** Enough for a second at the rate of the root servers, and how many of them last, and are followed from their start. */
const [BURST, SLOW_EVERY, FOLLOWED_EVERY] = [32, 5, 4];

const [BURST_EVERY_MS, GREEDY_EVERY_MS, BUSY_EVERY_MS] = [2_000, 100, 500];

/** Does something for each of some rows, so many at once. */
async function atOnce<Row>(
  rows: readonly Row[],
  most: number,
  work: (row: Row) => Promise<void>,
): Promise<void> {
  const waiting = [...rows];
  const worker = async () => {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) await work(row);
  };
  await Promise.all(Array.from({ length: most }, worker));
}

/** POSTs until there is a reply; returns the job's identifier if it is accepted. */
async function post(clients: Surroundings, wanted: Wanted): Promise<string | undefined> {
  for (;;) {
    const { status, job } = await postOnce(clients, wanted);
    if (status !== 0 || clients.patience.aborted) return job;
    await passed(PAUSE_MS);
  }
}

async function postOnce({ places, note }: Surroundings, { name, client }: Wanted) {
  const place = somewhere(places);
  if (place === undefined) return { status: 0 };
  const at = monotonicNow();
  const headers = { 'X-Forwarded-For': client, 'Idempotency-Key': name };
  const reply = await replyOf(() => start(place, { name }, headers));
  const job: string | undefined = reply?.status === 202 ? JSON.parse(reply.text).id : undefined;
  const posted = { status: reply?.status ?? 0, ...(job !== undefined && { job }) };
  note({ kind: 'post', at, until: monotonicNow(), name, client, ...posted });
  return posted;
}

let followers = 0;

/** How long one instance is listened to, and after how long another is asked. */
const [TURN_MS, PAUSE_MS] = [400, 50];

/** Follows a job from instance to instance, by a few events at each, until its servers are known. */
async function follow({ places, note, patience }: Surroundings, job: string): Promise<void> {
  followers += 1;
  const follower = `follower ${followers} of ${job}`;
  for (let seen = 0, last = ''; last !== 'servers' && !patience.aborted; ) {
    const place = somewhere(places);
    const text = place === undefined ? '' : await listen(place, `/api/traverse/${job}/events`, seen);
    // What was cut off in the middle comes again.
    for (const [id, event, data] of eventsIn(text.slice(0, text.lastIndexOf('\n\n') + 2))) {
      note({ kind: 'event', at: monotonicNow(), job, follower, id, event, ...attemptIn(data) });
      [seen, last] = [id, event];
    }
    if (last !== 'servers') await passed(PAUSE_MS);
  }
}

function attemptIn(data: unknown): { readonly attempt?: number } {
  if (typeof data !== 'object' || data === null || !('attempt' in data)) return {};
  return typeof data.attempt === 'number' ? { attempt: data.attempt } : {};
}

/** What an instance says within a turn; nothing if it is dead. */
function listen({ host, port }: Place, path: string, seen: number): Promise<string> {
  const headers = seen === 0 ? {} : { 'Last-Event-ID': `${seen}` };
  return new Promise((resolve) => {
    let text = '';
    const end = () => {
      clearTimeout(timer);
      made.destroy();
      resolve(text);
    };
    const made = request({ host, port, path, headers, agent: false }, (response) => {
      if (response.statusCode === 200) response.setEncoding('utf8').on('data', (piece) => (text += piece));
      response.on('error', end).on('close', end);
    });
    const timer = setTimeout(end, TURN_MS);
    made.on('error', end).end();
  });
}

/** Reads a job until it has ended, at one instance after the other; notes every answer but that the store is away. */
export async function readToEnd({ places, note, patience }: Surroundings, job: string): Promise<void> {
  while (!patience.aborted) {
    const place = somewhere(places);
    const reply = place && (await replyOf(() => ask(place, 'GET', `/api/traverse/${job}`)));
    if (reply?.status === 200 || reply?.status === 404) {
      const { status, error } = JSON.parse(reply.text);
      const known = reply.status === 404 ? 'unknown' : String(status);
      note({ kind: 'read', at: monotonicNow(), job, status: known, ...(error && { failure: error.title }) });
      if (!['queued', 'running', 'unknown'].includes(known)) return;
    }
    await passed(PAUSE_MS * 4);
  }
}

const LONGEST_MS = 10_000;

/** A reply; undefined if nobody gives one. */
async function replyOf(asking: () => Promise<Answer>): Promise<Answer | undefined> {
  const silence = new AbortController();
  const none = passed(LONGEST_MS, undefined, { signal: silence.signal }).catch(() => undefined);
  const reply = await Promise.race([asking().catch(() => undefined), none]);
  silence.abort();
  return reply;
}

function somewhere(places: readonly (Place | undefined)[]): Place | undefined {
  const alive = places.filter((place) => place !== undefined);
  return alive[Math.floor(Math.random() * alive.length)];
}
