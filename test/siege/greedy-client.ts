/**
 * Hole: thirty jobs of one client whose name servers never reply. Another client's job has to run as if
 * there were none of them, and may not be refused. No more of them run at once than one client may have, of
 * 16 in all: half, where the operator says nothing, or `--max-jobs-per-client`.
 */
import { shown } from '../bench/figures.ts';
import { besiege, type Requested } from './besieged.ts';
import { record, startHostileServers } from './hostile-servers.ts';
import { judge } from './measured.ts';

const JOBS = 30;
/** Jobs of one client that may wait. */
const QUEUE = 25;
/** What an undisturbed job may take here. */
const MOST_MS = 2_000;

const servers = await startHostileServers(45, 1, ({ name, type, class: dnsClass }) => {
  if (dnsClass !== 'IN' || name.endsWith('silent.')) return undefined;
  return type === 'A' ? { answer: [record(name, 'A', '192.0.2.80')] } : {};
});
await siege('half for each', [], 8);
await siege('three for each', ['--max-jobs-per-client', '3'], 3);
process.exit();

/** The greedy client may have `most` jobs running, and the others of a full queue waiting. */
async function siege(what: string, flags: readonly string[], most: number): Promise<void> {
  const { url, request, follow, stop } = await besiege(servers, ['--max-jobs', '16', ...flags]);
  const greedy: Requested[] = [];
  for (let number = 1; number <= JOBS; number += 1) {
    // Each address of a /64 is the same client.
    greedy.push(await request(`www${number}.silent`, `2001:db8::${number}`));
  }
  const refused = greedy.flatMap((one) => (one.kind === 'refused' ? [one] : []));
  const accepted = JOBS - refused.length;
  judge(
    `${what}: jobs of the greedy client`,
    `${accepted} accepted`,
    accepted === Math.min(JOBS, most + QUEUE),
  );
  for (const { status, retryAfter } of refused.slice(0, 1))
    judge(`${what}: refused with`, `${status}, Retry-After: ${retryAfter}`, status === 503);
  const running = await runningAt(url);
  judge(`${what}: jobs that run at once`, `${running}`, running === most);
  const modest = await request('www.fine', '2001:db8:0:1::1');
  if (modest.kind === 'refused') {
    judge(`${what}: the other client's job`, `refused with ${modest.status}`, false);
  } else {
    const { completeMs } = await follow(modest.events);
    judge(`${what}: the other client's job`, `ended after ${shown(completeMs)}`, completeMs < MOST_MS);
  }
  stop();
}

async function runningAt(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^traversal_jobs\{state="running"\} (\d+)$/m.exec(text)?.[1]);
}
