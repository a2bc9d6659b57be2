/**
 * Hole: one small request has the service send packets to strangers, whom a referral names. How many packets
 * and octets leave for each octet that came in, and how fast they come to one /24: with no bound but that on
 * questions, as it was once, and with the bounds that a service has.
 */
import { say } from '../bench/figures.ts';
import { ask } from '../service/http-client.ts';
import { besiege } from './besieged.ts';
import { hostileAddress, record, startHostileServers } from './hostile-servers.ts';

const BLOCK = 60;
/** Six prefixes of /24; with a fourth try each, more packets than are allowed. */
const COUNT = 1_500;
const ROOT = hostileAddress(BLOCK, 1);
/** What an operator does not set, and what the smallest request says. */
const BOUNDS = ['--rate', '20', '--rate-prefix', '100', '--rate-total', '2000', '--max-packets', '5000'];
const REQUEST_OCTETS = Buffer.byteLength(
  'POST /api/traverse HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n{"name":"a.b"}',
);

/** When a packet came to which prefix, since the siege began. */
let arrivals: { readonly at: number; readonly prefix: string }[] = [];
const servers = await startHostileServers(BLOCK, COUNT, (_question, address) => {
  arrivals.push({ at: performance.now(), prefix: address.replace(/\.\d+$/, '') });
  if (address !== ROOT) return undefined;
  const numbers = Array.from({ length: COUNT - 1 }, (_, at) => at + 2);
  return {
    authority: numbers.map((number) => record('b.', 'NS', `n${number}.b.`)),
    additional: numbers.map((number) => record(`n${number}.b.`, 'A', hostileAddress(BLOCK, number))),
  };
});
await siege('without bounds', ['--max-packets', '1000000']);
await siege('with the bounds of a service', BOUNDS);
process.exit();

async function siege(what: string, flags: readonly string[]): Promise<void> {
  arrivals = [];
  const { request, follow, stop } = await besiege(servers, [
    '--timeout',
    '300ms',
    '--retries',
    '3',
    ...flags,
  ]);
  const job = await request('a.b', '192.0.2.1');
  if (job.kind === 'refused') throw new Error(`refused with ${job.status}`);
  await follow(job.events);
  const { packetsSent, bytesSent } = JSON.parse((await get(job.self)).text).result.stats;
  stop();
  const factors = [packetsSent / REQUEST_OCTETS, bytesSent / REQUEST_OCTETS].map((one) => one.toFixed(1));
  say(`${what}, one request of ${REQUEST_OCTETS} octets`, `${packetsSent} packets, ${bytesSent} octets`);
  say(`${what}, factors`, `${factors[0]} packets and ${factors[1]} octets for each octet`);
  say(`${what}, in the busiest second`, `${busiest(() => true)} packets, ${busiest(inFirst)} to one /24`);
  if (what.startsWith('with the bounds') && (packetsSent > 5_000 || busiest(inFirst) > 110))
    process.exitCode = 1;
}

/** A prefix in which only strangers are. */
function inFirst({ prefix }: { readonly prefix: string }): boolean {
  return prefix === `127.0.${BLOCK + 1}`;
}

/** The most packets that came within one second. */
function busiest(counts: (arrival: { readonly prefix: string }) => boolean): number {
  const times = arrivals.filter(counts).map(({ at }) => at);
  let most = 0;
  for (let first = 0, last = 0; last < times.length; last += 1) {
    while ((times[last] ?? 0) - (times[first] ?? 0) > 1_000) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

function get(url: string) {
  const { hostname: host, port, pathname } = new URL(url);
  return ask({ host, port: Number(port) }, 'GET', pathname);
}
