/**
 * Hole: large results of one client throw out those of others. One client has a small result, another then
 * asks for large ones until the first of them gives way: the small one stays. Results are kept packed, so
 * there have to be many.
 */
import { size } from '../bench/figures.ts';
import { ask } from '../service/http-client.ts';
import { type Besieged, besiege } from './besieged.ts';
import { record, startHostileServers, tinyRecords } from './hostile-servers.ts';
import { judge } from './measured.ts';

const BLOCK = 70;
const SERVERS = 20;
const ROOM_MIB = 1;
const MOST_JOBS = 40;

const large = tinyRecords(BLOCK, SERVERS);
const servers = await startHostileServers(BLOCK, SERVERS, (question, address) => {
  const { name, type } = question;
  if (!name.endsWith('fine.')) return large(question, address);
  return type === 'A' ? { answer: [record(name, 'A', '192.0.2.80')] } : {};
});
const besieged = await besiege(servers, ['--max-retained-mib', `${ROOM_MIB}`]);
const modest = await result(besieged, 'www.fine', '192.0.2.1');
const sizes: number[] = [];
const greedy: string[] = [];
while (greedy.length < MOST_JOBS && !(await isFirstGone(greedy))) {
  const self = await result(besieged, `www${greedy.length}.tiny`, '192.0.2.2');
  greedy.push(self);
  sizes.push((await get(self)).text.length);
}
const left = await Promise.all(greedy.map(async (self) => (await get(self)).status));
const kept = left.filter((status) => status === 200).length;
judge(
  'large results',
  `${greedy.length} of one client, ${size(total(sizes))} in a room of ${ROOM_MIB} MiB: ${kept} still there`,
  kept < greedy.length && left.at(-1) === 200,
);
const { status, text } = await get(modest);
judge("the other client's result", `${size(text.length)}, status ${status}`, status === 200);
besieged.stop();
process.exit();

async function isFirstGone([first]: readonly string[]): Promise<boolean> {
  return first !== undefined && (await get(first)).status === 404;
}

/** Where the result of a job is, once it is there. */
async function result({ request, follow }: Besieged, name: string, client: string): Promise<string> {
  const job = await request(name, client);
  if (job.kind === 'refused') throw new Error(`refused with ${job.status}`);
  await follow(job.events);
  return job.self;
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}

function get(url: string) {
  const { hostname: host, port, pathname } = new URL(url);
  return ask({ host, port: Number(port) }, 'GET', pathname);
}
