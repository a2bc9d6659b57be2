/**
 * How late events and health come from a real service while a thousand streams follow its running jobs: from the moment at
 * which a name server sends a reply to that at which a follower has its event. Void if this process lags itself.
 */

import { followEvents } from './event-reader.ts';
import { tell } from './figure.ts';
import { eachOf, monotonicMs, quantile, say, spread } from './figures.ts';
import { type LeanLab, spawnLab } from './lab/spawn-lab.ts';
import { NOW } from './program.ts';
import { type ServiceProcess, spawnService } from './spawn-service.ts';
import { portfolioNames } from './worlds/plain.ts';

const JOBS = 100;
const STREAMS_EACH = 10;
/** Long enough that all jobs run at once for a while. */
const DELAY_MS = 2_000;
/** Jobs do not keep step with each other. */
const BETWEEN_MS = 60;
const EVERY_MS = 20;
/** A driver that is later than this itself says nothing of the service. */
const MOST_LAG_MS = 20;

const pace = ['--rate', '0', '--rate-prefix', '0', '--rate-total', '0', '--timeout', '10s'];
const lab = await spawnLab('portfolio', DELAY_MS, { keeps: 'moments' });
const place = ['--root-hints', lab.hintsFile, '--port', `${lab.port}`, '-4', '--allow-special-targets'];
const service = await spawnService([
  ...place,
  ...pace,
  '--max-jobs',
  `${JOBS}`,
  '--max-connections',
  '10000',
]);
try {
  await measure(service, lab);
} finally {
  service.child.removeAllListeners('exit');
  service.child.kill('SIGKILL');
  lab.close();
}

/** When a follower had the event of an exchange. */
interface Heard {
  readonly exchange: string;
  readonly atMs: number;
}

async function measure({ url }: ServiceProcess, { seen }: LeanLab): Promise<void> {
  const heard: Heard[] = [];
  const health: number[] = [];
  const lag: number[] = [];
  let due = monotonicMs() + EVERY_MS;
  const ticking = setInterval(async () => {
    const begunMs = monotonicMs();
    lag.push(Math.max(0, begunMs - due));
    due = begunMs + EVERY_MS;
    await (await fetch(`${url}/api/health`)).text();
    health.push(monotonicMs() - begunMs);
  }, EVERY_MS);
  await eachOf([...portfolioNames(JOBS).entries()], JOBS, async ([at, name]) => {
    await new Promise((resolve) => setTimeout(resolve, at * BETWEEN_MS));
    await followed(url, name, heard);
  });
  clearInterval(ticking);
  const { moments } = await seen();
  const late = heard.flatMap(({ exchange, atMs }) => {
    const sentMs = moments[exchange];
    return sentMs === undefined ? [] : [atMs - sentMs];
  });
  const own = quantile(lag, 0.99);
  say('the driver itself', `late by ${spread(lag)}`);
  if (own > MOST_LAG_MS)
    return say('streams', `void, as the driver's own lag is above ${MOST_LAG_MS} ms: ${spread(late)}`);
  const events = `${late.length} events of ${JOBS} jobs with ${STREAMS_EACH} followers each`;
  tell('service-streams', NOW, quantile(late, 0.99), `${events}, late by ${spread(late)}`);
  tell('streams-health', NOW, quantile(health, 0.99), spread(health));
}

/** Has a job run, and follows it by several streams. Names of servers are asked for by many jobs: only its own name tells. */
async function followed(url: string, name: string, heard: Heard[]): Promise<void> {
  const response = await fetch(`${url}/api/traverse`, { method: 'POST', body: JSON.stringify({ name }) });
  const text = await response.text();
  if (response.status !== 202) throw new Error(`${response.status} ${text}`);
  const { events } = JSON.parse(text).links;
  await eachOf(Array.from({ length: STREAMS_EACH }), STREAMS_EACH, async () => {
    await followEvents(`${url}${events}`, ({ event, data }) => {
      const atMs = monotonicMs();
      if (event !== 'exchange' || !data.includes(`"name":"${name}","type":"A"`)) return;
      const [, address] = /"address":"([^"]*)"/.exec(data) ?? [];
      heard.push({ exchange: `${address} ${name}`, atMs });
    });
  });
}
