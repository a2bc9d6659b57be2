/**
 * Hole: one small request has the service send packets to strangers, whom a referral names. How many packets
 * and octets leave for each octet that came in, and how fast they come to one /24 and to all: with no bound but
 * that on questions, as it was once, with the bounds that a service has, and with a low one on all. The root answers with an alias to the
 * longest name there is, so that every query is as long as can be. SECURITY.md states the factors.
 */
import { say } from '../bench/figures.ts';
import { ask } from '../service/http-client.ts';
import { besiege, sendRaw } from './besieged.ts';
import { hostileAddress, record, startHostileServers } from './hostile-servers.ts';
import { judge } from './measured.ts';

const BLOCK = 60;
/** Six prefixes of /24; with a fourth try each, more packets than are allowed. */
const COUNT = 1_500;
const ROOT = hostileAddress(BLOCK, 1);
/** What an operator does not set. */
const BOUNDS = ['--rate', '20', '--rate-prefix', '100', '--rate-total', '2000', '--max-packets', '5000'];
/** The smallest request there is. */
const REQUEST = 'POST /api/traverse HTTP/1.0\r\nContent-Length:12\r\n\r\n{"name":"a"}';
const REQUEST_OCTETS = Buffer.byteLength(REQUEST);
/** 255 octets, the length of each label among them. */
const LONG_NAME = [63, 63, 63, 59]
  .map((length) => `${'x'.repeat(length)}.`)
  .join('')
  .concat('b.');
/** What may be: SECURITY.md states the factors for each octet of a request. */
interface Promised {
  readonly packets: number;
  readonly octets: number;
  /** In a second: its worth, and what may have been saved up. */
  readonly toPrefix: number;
  readonly toAll: number;
}

const NOTHING: Promised = {
  packets: Number.POSITIVE_INFINITY,
  octets: Number.POSITIVE_INFINITY,
  toPrefix: Number.POSITIVE_INFINITY,
  toAll: Number.POSITIVE_INFINITY,
};
const BY_DEFAULT: Promised = { packets: 81, octets: 23_000, toPrefix: 110, toAll: 2_200 };

/** When a packet came to which prefix, since the siege began. */
let arrivals: { readonly at: number; readonly prefix: string }[] = [];
const servers = await startHostileServers(BLOCK, COUNT, ({ name }, address) => {
  arrivals.push({ at: performance.now(), prefix: address.replace(/\.\d+$/, '') });
  if (address !== ROOT) return undefined;
  if (!name.toLowerCase().endsWith('.b.')) return { answer: [record(name, 'CNAME', LONG_NAME)] };
  const numbers = Array.from({ length: COUNT - 1 }, (_, at) => at + 2);
  return {
    authority: numbers.map((number) => record('b.', 'NS', `n${number}.b.`)),
    additional: numbers.map((number) => record(`n${number}.b.`, 'A', hostileAddress(BLOCK, number))),
  };
});
const UNBOUNDED = ['--max-packets', '1000000', '--rate-prefix', '0', '--rate-total', '0'];
await siege('without bounds', UNBOUNDED, NOTHING);
await siege('with the bounds of a service', BOUNDS, BY_DEFAULT);
const LOW = ['--max-packets', '1000', '--rate-prefix', '0', '--rate-total', '200'];
await siege('with a low bound on all', LOW, { ...NOTHING, toAll: 220 });
process.exit();

async function siege(what: string, flags: readonly string[], most: Promised): Promise<void> {
  arrivals = [];
  const { url, follow, stop } = await besiege(servers, ['--timeout', '300ms', '--retries', '3', ...flags]);
  const { hostname: host, port } = new URL(url);
  const place = { host, port: Number(port) };
  const [, accepted = 'nothing'] = (await sendRaw(place, REQUEST)).split('\r\n\r\n');
  const { links } = JSON.parse(accepted);
  await follow(`${url}${links.events}`);
  const { bytesSent } = JSON.parse((await ask(place, 'GET', links.self)).text).result.figures;
  stop();
  const packetsSent = arrivals.length;
  const [packets, octets] = [packetsSent / REQUEST_OCTETS, bytesSent / REQUEST_OCTETS];
  say(`${what}, one request of ${REQUEST_OCTETS} octets`, `${packetsSent} packets, ${bytesSent} octets`);
  judge(
    `${what}, factors`,
    `${packets.toFixed(1)} packets and ${octets.toFixed(0)} octets for each octet`,
    packets <= most.packets && octets <= most.octets,
  );
  judge(
    `${what}, in the busiest second`,
    `${busiest(() => true)} packets, ${busiest(inFirst)} to one /24`,
    busiest(inFirst) <= most.toPrefix && busiest(() => true) <= most.toAll,
  );
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
