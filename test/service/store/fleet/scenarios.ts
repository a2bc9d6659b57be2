import { setTimeout as passed } from 'node:timers/promises';
import { Client } from 'pg';
import type { Entry } from './history.ts';
import type { Fleet } from './instances.ts';
import { readToEnd, type Surroundings } from './load.ts';
import type { FleetStore } from './store.ts';

/** What happens to a fleet under load. */
export interface Scene {
  readonly fleet: Fleet;
  readonly store: FleetStore;
  /** What was seen so far. */
  readonly history: readonly Entry[];
  readonly clients: Surroundings;
  /** Starts a job of a name that is like this one, as a client of its own; tries until it is accepted. */
  readonly submit: (name: string) => Promise<string>;
  readonly isOver: () => boolean;
}

/** Resolves once the scene is over, with all as it was, and returns what should not have come of it. */
export type Scenario = (scene: Scene) => Promise<readonly string[]>;

/** What can happen. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'instances are killed': killed,
  'a job kills whoever runs it': poisoned,
  'one instance is cut off from the store for ten seconds': cutOff,
  'the store restarts, is killed, and fails over': storeRestarted,
  'connections come and go by the hundred, and clocks are set': stormed,
};

async function killed({ fleet, isOver }: Scene): Promise<readonly string[]> {
  while (!isOver()) {
    await passed(2_000);
    await fleet.replace(anyOf(fleet.places));
  }
  return [];
}

/** An instance dies by a job whenever it runs it, so this is given up, though others run beside it. */
async function poisoned({ fleet, history, clients, submit, isOver }: Scene): Promise<readonly string[]> {
  const job = await submit('poison.slow.test');
  const replacing: Promise<void>[] = [];
  let seen = 0;
  const killing = setInterval(() => {
    for (const entry of history.slice(seen))
      if (entry.kind === 'began' && entry.job === job)
        replacing.push(fleet.replace(fleet.indexOf(entry.instance)));
    seen = history.length;
  }, 20);
  await readToEnd(clients, job);
  clearInterval(killing);
  await Promise.all(replacing);
  while (!isOver()) await passed(100);
  const isGivenUp = history.some(
    (entry) => entry.kind === 'read' && entry.job === job && entry.failure === 'Given up',
  );
  return isGivenUp ? [] : ['the job was not given up'];
}

const CUT_OFF_MS = 10_000;

/** Jobs enough for the rate of the root servers, and the time until they ask them. */
const [BURST, BURST_MS] = [40, 500];

async function cutOff({ fleet, submit, isOver }: Scene): Promise<readonly string[]> {
  const ways = ['refuse', 'there', 'back', 'both'] as const;
  while (!isOver()) {
    const at = anyOf(fleet.places);
    const way = ways[anyOf(ways)];
    const link = fleet.links[at];
    // The name servers of the root are asked as often as may be when it happens.
    const burst = Promise.all(Array.from({ length: BURST }, () => submit('shop.test')));
    await passed(BURST_MS);
    fleet.noteCutOff(at);
    if (way === 'refuse') link?.refuse();
    else link?.stall(way === 'both' ? undefined : way);
    await passed(CUT_OFF_MS);
    link?.heal();
    await burst;
    await passed(1_000);
  }
  return [];
}

async function storeRestarted({ fleet, store, isOver }: Scene): Promise<readonly string[]> {
  for (let turn = 0; !isOver() || turn < 3; turn += 1) {
    await passed(3_000);
    const primary = store.primary();
    if (turn % 3 === 0) await primary.stop();
    if (turn % 3 === 1) await primary.kill();
    if (turn % 3 === 2) {
      await store.failOver();
      for (const link of fleet.links) link.lead(store.primary());
    } else {
      await passed(1_000);
      await primary.start();
    }
  }
  return [];
}

/** With the instances' own, more connections than the server accepts; seconds between two storms, and how long one lasts. */
const [STORM, STORM_EVERY_S, STORM_MS] = [40, 6, 1_500];

async function stormed({ fleet, store, isOver }: Scene): Promise<readonly string[]> {
  const url = store.urlAt(store.primary().port);
  for (let turn = 1; !isOver(); turn += 1) {
    await passed(1_000);
    fleet.setClock(anyOf(fleet.places));
    if (turn % STORM_EVERY_S !== 0) continue;
    const clients = Array.from({ length: STORM }, () => new Client(url));
    // Some are refused: that is what a storm is.
    for (const client of clients) client.on('error', () => {}).connect(() => {});
    for (const link of fleet.links) link.cut();
    await passed(STORM_MS);
    await Promise.all(clients.map((client) => client.end()));
  }
  return [];
}

/** The place of one of them. */
function anyOf({ length }: readonly unknown[]): number {
  return Math.floor(Math.random() * length);
}
