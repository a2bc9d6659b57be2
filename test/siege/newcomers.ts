/**
 * Hole: clients whose names keep a job busy for as long as it may last, because the name servers are silent or slow, start as
 * many jobs as are accepted: from twelve addresses of as many networks, or from all over a /48 of IPv6. Of the small jobs of
 * newcomers 95 of 100 have to begin within five seconds, and the memory of the service stays bounded: also with a store.
 */
import { quantile, say, shown } from '../bench/figures.ts';
import { startPostgres } from '../service/store/postgres-server.ts';
import { type Besieged, besiege } from './besieged.ts';
import { hostileAddress, record, type Said, startHostileServers } from './hostile-servers.ts';
import { judge, judgeTime, memoryOf } from './measured.ts';

const BLOCK = 47;
const SERVERS = 14;
const ROOT = hostileAddress(BLOCK, 1);

const NEWCOMERS = Number(process.argv[2] ?? 100);
const NEWCOMER_EVERY_MS = 600;
const HEAD_START_MS = 5_000;
const MOST_MS = 5_000;
const MOST_MEMORY = 700 * 2 ** 20;

const PROMISED = 0.95;
const ATTACKERS = 12;
/** A client that is refused asks again after so long. */
const AGAIN_MS = 250;
/** What a newcomer who is refused meets. */
const NEVER: Met = { begunMs: Number.POSITIVE_INFINITY, endedMs: Number.POSITIVE_INFINITY };

/** The only limit here is what the service does by itself. */
process.env.SERVICE_RATE_LIMIT = '1000000/1h';

const servers = await startHostileServers(BLOCK, SERVERS, ({ name, type, class: dnsClass }, address) => {
  if (dnsClass !== 'IN') return undefined;
  if (name.endsWith('fine.')) return type === 'A' ? { answer: [record(name, 'A', '192.0.2.80')] } : {};
  if (address !== ROOT) return name.endsWith('slow.') ? slow(name) : undefined;
  return referral(name.endsWith('slow.') ? 'slow.' : 'silent.');
});
await siege('twelve addresses, silent servers', 'silent.', (number) => `10.${number}.0.1`);
await siege('twelve addresses, slow servers', 'slow.', (number) => `10.${number}.0.1`);
await siege('a /48, silent servers', 'silent.', anyOf48);
await siege('a /48, slow servers', 'slow.', anyOf48);
const ends: (() => unknown)[] = [];
const store = await startPostgres({ teardown: (end) => void ends.unshift(end) });
/** An empty store each time: a service takes over the jobs that another one left. */
const emptyStore = async () => ['--store', await store.database()];
await siege(
  'twelve addresses, silent servers, a store',
  'silent.',
  (number) => `10.${number}.0.1`,
  await emptyStore(),
);
await siege('a /48, slow servers, a store', 'slow.', anyOf48, await emptyStore());
for (const end of ends) await end();
process.exit();

function referral(zone: string): Said {
  const numbers = Array.from({ length: SERVERS - 1 }, (_, at) => at + 2);
  return {
    authority: numbers.map((number) => record(zone, 'NS', `n${number}.${zone}`)),
    additional: numbers.map((number) => record(`n${number}.${zone}`, 'A', hostileAddress(BLOCK, number))),
  };
}

/** An alias after the other, each just before a client gives up waiting. */
function slow(name: string): Said {
  const serial = Number(/^e(\d+)\./.exec(name)?.[1] ?? '0');
  return { answer: [record(name, 'CNAME', `e${serial + 1}.${name.replace(/^e\d+\./, '')}`)], delayMs: 1_500 };
}

function anyOf48(_attacker: number, job: number): string {
  return `2001:db8:0:${((job * 7_919) & 0xffff).toString(16)}::1`;
}

async function siege(
  what: string,
  zone: string,
  from: (attacker: number, job: number) => string,
  more: readonly string[] = [],
): Promise<void> {
  const service = await besiege(servers, more);
  const attack = new AbortController();
  const counts = { accepted: 0, refused: 0 };
  for (let attacker = 1; attacker <= ATTACKERS; attacker += 1) {
    void keepAsking(service, attack.signal, counts, (job) => ({
      name: `e0.j${attacker}x${job}.${zone}`,
      client: from(attacker, job * ATTACKERS + attacker),
    }));
  }
  await passed(HEAD_START_MS);
  const coming: Promise<Met>[] = [];
  for (let number = 0; number < NEWCOMERS; number += 1) {
    coming.push(newcomer(service, `198.18.${number}.1`));
    await passed(NEWCOMER_EVERY_MS);
  }
  const met = await Promise.all(coming);
  attack.abort();
  const begun = met.map(({ begunMs }) => begunMs);
  say(`${what}: hostile jobs`, `${counts.accepted} accepted, ${counts.refused} refused`);
  judgeTime(`${what}: of newcomers, ${PROMISED * 100} % begin within`, quantile(begun, PROMISED), MOST_MS);
  const ended = met.map(({ endedMs }) => endedMs);
  say(
    `${what}: newcomers' jobs end within`,
    `${shown(quantile(ended, 0.5))}, ${shown(quantile(ended, PROMISED))}`,
  );
  const { peak } = memoryOf(service.pid);
  judge(`${what}: memory`, `${Math.round(peak / 2 ** 20)} MiB`, peak <= MOST_MEMORY);
  service.stop();
}

async function keepAsking(
  { request }: Besieged,
  signal: AbortSignal,
  counts: { accepted: number; refused: number },
  jobOf: (job: number) => { readonly name: string; readonly client: string },
): Promise<void> {
  for (let job = 0; !signal.aborted; job += 1) {
    const { name, client } = jobOf(job);
    const requested = await request(name, client).catch(() => undefined);
    if (requested?.kind === 'started') counts.accepted += 1;
    else counts.refused += 1;
    if (requested?.kind !== 'started') await passed(AGAIN_MS);
  }
}

/** When the job of a newcomer began and ended, from the request on. */
interface Met {
  readonly begunMs: number;
  readonly endedMs: number;
}

async function newcomer({ request, follow }: Besieged, client: string): Promise<Met> {
  const since = performance.now();
  const requested = await request('www.fine', client);
  if (requested.kind === 'refused') return NEVER;
  const askedMs = performance.now() - since;
  const { startedMs, completeMs } = await follow(requested.events);
  return { begunMs: askedMs + startedMs, endedMs: askedMs + completeMs };
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
