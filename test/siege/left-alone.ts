/**
 * Hole: somebody whom the operator wants left alone is asked all the same, because a referral of strangers names
 * them. A deny list has a prefix and a name; while the job runs, another prefix comes to it with a SIGHUP. Nothing
 * may come to the first two, and to the third nothing from then on.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { besiege } from './besieged.ts';
import { hostileAddress, record, startHostileServers } from './hostile-servers.ts';
import { judge } from './measured.ts';

const BLOCK = 76;
/** Four prefixes of /24. */
const COUNT = 1_000;
const ROOT = hostileAddress(BLOCK, 1);
const DENIED = `127.0.${BLOCK + 1}.`;
const DENIED_LATER = `127.0.${BLOCK + 2}.`;
/** Every tenth server has a name below this one. */
const DENIED_NAME = 'victim.b.';
/** The list is read again once so many packets have come to the third prefix. */
const RELOAD_AFTER = 20;
/** A list is in force that long after a SIGHUP, and what was about to leave has left. */
const IN_FORCE_MS = 250;

const folder = mkdtempSync(join(tmpdir(), 'siege-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
const list = join(folder, 'deny');
const arrivals: { readonly at: number; readonly address: string }[] = [];
const servers = await startHostileServers(BLOCK, COUNT, (_question, address) => {
  arrivals.push({ at: performance.now(), address });
  if (address !== ROOT) return undefined;
  const numbers = Array.from({ length: COUNT - 1 }, (_, at) => at + 2);
  return {
    authority: numbers.map((number) => record('b.', 'NS', nameOf(number))),
    additional: numbers.map((number) => record(nameOf(number), 'A', hostileAddress(BLOCK, number))),
  };
});
const namesakes = new Set(
  Array.from({ length: COUNT }, (_, at) => at + 1)
    .filter((number) => nameOf(number).endsWith(`.${DENIED_NAME}`))
    .map((number) => hostileAddress(BLOCK, number)),
);

writeFileSync(list, `${DENIED}0/24\n${DENIED_NAME}\n`);
const { pid, request, follow, stop } = await besiege(servers, [
  ...['--deny', list, '--rate-prefix', '200', '--timeout', '300ms', '--retries', '1'],
]);
const job = await request('www.b', '192.0.2.1');
if (job.kind === 'refused') throw new Error(`refused with ${job.status}`);
const ended = follow(job.events);
const isLater = ({ address }: Arrival) => address.startsWith(DENIED_LATER);
while (count(isLater) < RELOAD_AFTER) await new Promise((resolve) => setTimeout(resolve, 10));
writeFileSync(list, `${DENIED}0/24\n${DENIED_LATER}0/24\n${DENIED_NAME}\n`);
process.kill(pid, 'SIGHUP');
const inForceAt = performance.now() + IN_FORCE_MS;
await ended;
stop();
const asked = arrivals.filter(({ address }) => address !== ROOT).length;
judge('packets to strangers', `${asked}`, asked > 0);
judgeNothing('to a denied prefix', ({ address }) => address.startsWith(DENIED));
judgeNothing('to servers with a denied name', ({ address }) => namesakes.has(address));
judgeNothing('to a prefix denied later, from then on', (one) => isLater(one) && one.at >= inForceAt);
process.exit();

function nameOf(number: number): string {
  return number % 10 === 0 ? `n${number}.${DENIED_NAME}` : `n${number}.b.`;
}

type Arrival = (typeof arrivals)[number];

function count(counts: (arrival: Arrival) => boolean): number {
  return arrivals.filter(counts).length;
}

function judgeNothing(what: string, counts: (arrival: Arrival) => boolean): void {
  const packets = count(counts);
  judge(what, `${packets} packets`, packets === 0);
}
