/**
 * Hole: a zone of 1,700 name servers that say nothing when they are asked what they are; those of another
 * zone say nothing at all. Lists of servers have to be ready half a minute after the traversal, and that of
 * an ordinary job beside it at once.
 */
import { say, shown } from '../bench/figures.ts';
import { ask } from '../service/http-client.ts';
import { besiege } from './besieged.ts';
import { hostileAddress, record, type Said, startHostileServers } from './hostile-servers.ts';

const BLOCK = 46;
const COUNT = 1_700;
const ROOT = hostileAddress(BLOCK, 1);
/** The only server of `fine.`, which an ordinary job asks. */
const FINE = hostileAddress(BLOCK, 2);

/** A list is to be ready by then, counted from the end of the traversal. */
const MOST_MS = 31_000;
/** An ordinary list may take that long. */
const ORDINARY_MS = 5_000;

const MUTE = 'mute.';
const SILENT = 'silent.';

const servers = await startHostileServers(BLOCK, COUNT, ({ name, type, class: dnsClass }, address) => {
  if (address === ROOT) return dnsClass === 'IN' ? fromRoot(name) : { rcode: 'REFUSED' };
  if (address === FINE) return dnsClass === 'IN' ? fromZone(name, type) : { rcode: 'REFUSED' };
  return dnsClass === 'IN' && type === 'A' && name.endsWith(MUTE) ? fromZone(name, type) : undefined;
});
await siege('mute servers', MUTE, []);
await siege('silent servers', SILENT, ['--timeout', '300ms', '--retries', '0']);
process.exit();

function fromRoot(name: string): Said {
  if (name.endsWith('fine.')) return referral('fine.', [2]);
  const numbers = Array.from({ length: COUNT - 2 }, (_, at) => at + 3);
  return referral(name.endsWith(MUTE) ? MUTE : SILENT, numbers);
}

function referral(zone: string, numbers: readonly number[]): Said {
  return {
    authority: numbers.map((number) => record(zone, 'NS', `n${number}.${zone}`)),
    additional: numbers.map((number) => record(`n${number}.${zone}`, 'A', hostileAddress(BLOCK, number))),
  };
}

function fromZone(name: string, type: string): Said {
  return type === 'A' ? { answer: [record(name, 'A', '192.0.2.80')] } : {};
}

async function siege(what: string, zone: string, flags: readonly string[]): Promise<void> {
  const { request, follow, stop } = await besiege(servers, flags);
  const packets = servers.asked();
  const besieging = await request(`www.${zone}`, '192.0.2.1');
  if (besieging.kind === 'refused') throw new Error(`refused with ${besieging.status}`);
  const following = follow(besieging.events);
  await ended(besieging.self);
  const asked = servers.asked() - packets;
  const ordinary = await request('www.fine', '192.0.2.2');
  if (ordinary.kind === 'refused') throw new Error(`refused with ${ordinary.status}`);
  const beside = await follow(ordinary.events);
  const { completeMs, serversMs } = await following;
  const waitMs = serversMs - completeMs;
  say(`${what}, their list`, `ready ${shown(waitMs)} after the traversal; ${await countsIn(besieging.self)}`);
  say(`${what}, packets`, `${asked} for the traversal, ${servers.asked() - packets - asked} for the list`);
  say(`${what}, an ordinary list beside it`, `ready after ${shown(beside.serversMs)}`);
  if (!(waitMs < MOST_MS && beside.serversMs < ORDINARY_MS)) process.exitCode = 1;
  stop();
}

async function ended(self: string): Promise<void> {
  for (;;) {
    const { text } = await get(self);
    if (!/^\{"id":"[^"]+","status":"(?:queued|running)"/.test(text)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** How many servers the list has, by what it says of them. */
async function countsIn(self: string): Promise<string> {
  const { text } = await get(`${self}/servers`);
  const counts = new Map<string, number>();
  for (const { versionBind } of JSON.parse(text).servers) {
    const what = versionBind.reason ?? versionBind.status;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return [...counts].map(([what, count]) => `${count} ${what}`).join(', ');
}

async function get(url: string) {
  const { hostname: host, port, pathname } = new URL(url);
  return await ask({ host, port: Number(port) }, 'GET', pathname);
}
