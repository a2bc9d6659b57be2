import type { Test } from 'tap';
import { DEFAULT_OPTIONS } from '../../src/options.ts';
import { createLog } from '../../src/service/log.ts';
import type { Page } from '../../src/service/page/page.ts';
import { startService } from '../../src/service/service.ts';
import { DEFAULT_SETTINGS, type ServiceSettings } from '../../src/service/settings.ts';
import { createFakeClock } from '../exchange/fake-clock.ts';
import { createFakeEngine } from './fake-engine.ts';
import { ask, type Place, start } from './http-client.ts';

/**
 * A service in the test's own process, gone when the test ends, on a made-up engine and a clock that
 * stands still: heartbeats, buckets and what is retained wait for the test, connections do not. `setClock`
 * sets the time of day.
 */
export async function startTestService(
  t: Pick<Test, 'teardown'>,
  settings: Partial<ServiceSettings> = {},
  pace: 'manual' | 'prompt' = 'manual',
  around: { readonly page?: Page } = {},
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
