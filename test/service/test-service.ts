import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Test } from 'tap';
import { DEFAULT_OPTIONS } from '../../src/document/options.ts';
import { startLab } from '../../src/lab/lab.ts';
import { zoneText } from '../../src/lab/zone-text.ts';
import { createLog } from '../../src/service/log.ts';
import { type ServiceSurroundings, startService } from '../../src/service/service.ts';
import { DEFAULT_SETTINGS, type ServiceSettings } from '../../src/service/settings.ts';
import { openStore } from '../../src/service/store/open-store.ts';
import { createFakeClock } from '../base/fake-clock.ts';
import { createFakeEngine } from './fake-engine.ts';
import { ask, type Place, start } from './http-client.ts';
import { type Spawned, startServe } from './spawned.ts';

/**
 * A service in the test's own process, gone when the test ends, on a made-up engine and a clock that
 * stands still: heartbeats, buckets and what is retained wait for the test, connections do not. `setClock`
 * sets the time of day.
 */
export async function startTestService(
  t: Pick<Test, 'teardown'>,
  settings: Partial<ServiceSettings> = {},
  pace: 'manual' | 'prompt' = 'manual',
  around: Partial<ServiceSurroundings> = {},
) {
  const engine = createFakeEngine(pace);
  const clock = createFakeClock();
  const lines: string[] = [];
  const log = createLog(
    (line) => lines.push(line),
    'json',
    () => now(),
  );
  let setByMs = 0;
  const now = () => new Date(clock.now() + setByMs);
  const setClock = (byMs: number) => {
    setByMs += byMs;
  };
  const all = { ...DEFAULT_SETTINGS, version: '1.2.3', options: DEFAULT_OPTIONS, port: 0, ...settings };
  const service = await startService(all, { engine, log, clock, now, ...around });
  t.teardown(async () => {
    let over = false;
    const closed = service.close(0).then(() => {
      over = true;
    });
    while (!over) await clock.advance(1_000);
    await closed;
  });
  return { service, engine, clock, lines, setClock };
}

/** Starts a job and gives its identifier. */
export async function startJob(place: Place, body: object = { name: 'www.example' }): Promise<string> {
  const { status, text } = await start(place, body);
  if (status !== 202) throw new Error(`${status} ${text}`);
  return JSON.parse(text).id;
}

/** The value of a metric, with its labels as they are written. */
export async function metric(place: Place, name: string): Promise<number> {
  const { text } = await ask(place, 'GET', '/metrics');
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  if (line === undefined) throw new Error(`no metric ${name}`);
  return Number(line.slice(name.length + 1));
}

/** Server-sent events as [id, name, data]; comments are left out. */
export function eventsIn(text: string): readonly (readonly [number, string, unknown])[] {
  return text
    .split('\n\n')
    .filter((frame) => frame.includes('event: '))
    .map((frame) => {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(frame)?.[1] ?? '';
      return [Number(field('id')), field('event'), JSON.parse(field('data'))] as const;
    });
}

/** The name to ask such a service for. */
export const HELD_NAME = 'www.held.test';

const ROOT = '127.0.15.1';
const PROMPT = '127.0.15.2';
const HELD = '127.0.15.3';
const BEHIND = '127.0.15.4';

/** A service whose traversals of www.held.test wait for one name server until that is released. */
export interface HeldService {
  readonly service: Spawned;
  readonly held: HeldServer;
  /** The service again, at another port: after it was killed, or beside it. */
  readonly restart: () => Promise<Spawned>;
}

/** Starts one, with more flags and other variables of the environment. */
export async function startHeldService(
  t: Test,
  flags: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<HeldService> {
  const zone = `@ NS ns1\n@ NS ns2\nns1 A ${PROMPT}\nns2 A ${HELD}\nwww A 203.0.113.80`;
  const top = `. NS a.root.\na.root. A ${ROOT}\nheld.test NS ns1.held.test.\nheld.test NS ns2.held.test.`;
  const glue = `ns1.held.test A ${PROMPT}\nns2.held.test A ${HELD}`;
  const lab = await startLab({
    servers: [
      { name: 'a.root.', addresses: [ROOT], zones: [zoneText('.', `${top}\n${glue}`)] },
      { name: 'ns1.held.test.', addresses: [PROMPT], zones: [zoneText('held.test.', zone)] },
      { name: 'behind.held.test.', addresses: [BEHIND], zones: [zoneText('held.test.', zone)] },
    ],
  });
  t.teardown(lab.close);
  const held = await holdServer(t, { address: HELD, behind: BEHIND, port: lab.port });
  const hints = join(t.testdir({ hints: lab.hints }), 'hints');
  const network = ['--root-hints', hints, '--port', `${lab.port}`, '--allow-special-targets', '-4'];
  const patience = ['--rate', '0', '--timeout', '60s', '--retries', '0'];
  const start = () => startServe(t, [...network, ...patience, ...flags], env);
  return { service: await start(), held, restart: start };
}

/** A name server that keeps its replies back until they are released. */
export interface HeldServer {
  /** Resolves when it has been asked something. */
  readonly asked: Promise<void>;
  /** From now on it replies, also to what it was asked before. */
  readonly release: () => void;
}

/** Where queries come in, and where the replies are fetched. */
interface HeldPlace {
  readonly address: string;
  readonly behind: string;
  readonly port: number;
}

/** Stands in front of a server of the lab: passes on what it is asked over UDP, but nothing before it is told to. */
export async function holdServer(
  t: Pick<Test, 'teardown'>,
  { address, behind, port }: HeldPlace,
): Promise<HeldServer> {
  const front = createSocket('udp4');
  front.bind(port, address);
  await once(front, 'listening');
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  t.teardown(() => front.close());
  front.on('message', async (query, from) => {
    await released;
    const back = createSocket('udp4');
    back.send(query, port, behind);
    const [reply]: Buffer[] = await once(back, 'message');
    back.close();
    if (reply !== undefined) front.send(reply, from.port, from.address);
  });
  return { asked: once(front, 'message').then(() => {}), release };
}

/**
 * An instance of a service on a store, in the test's own process, gone when the test ends, on a made-up engine. Its
 * clock is the real one, as the store's is.
 */
export async function startInstance(
  t: Pick<Test, 'teardown'>,
  store: { readonly url: string },
  settings: Partial<ServiceSettings> = {},
  pace: 'manual' | 'prompt' = 'manual',
) {
  const engine = createFakeEngine(pace);
  const lines: string[] = [];
  const log = createLog((line) => lines.push(line), 'json');
  const opened = await openStore(store.url, { ...DEFAULT_SETTINGS, ...settings }, log);
  if (opened.kind !== 'open') throw new Error(opened.reason);
  const { createJobs, limiter, metrics, close: closeStore } = opened.store;
  const all = { ...DEFAULT_SETTINGS, version: '1.2.3', options: DEFAULT_OPTIONS, port: 0, ...settings };
  const service = await startService(all, { engine, log, createJobs, limiter, metrics });
  let closed: Promise<void> | undefined;
  const close = (graceMs = 0) => {
    closed ??= service.close(graceMs).then(closeStore);
    return closed;
  };
  t.teardown(() => close());
  return { ...service, engine, lines, close };
}
