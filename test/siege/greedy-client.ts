/**
 * Hole: thirty jobs of one client whose name servers never reply. Another client's job has to run as if
 * there were none of them, and may not be refused.
 */
import { say, shown } from '../bench/figures.ts';
import { besiege, type Requested } from './besieged.ts';
import { record, startHostileServers } from './hostile-servers.ts';

const JOBS = 30;
/** What an undisturbed job may take here. */
const MOST_MS = 2_000;

const servers = await startHostileServers(45, 1, ({ name, type, class: dnsClass }) => {
  if (dnsClass !== 'IN' || name.endsWith('silent.')) return undefined;
  return type === 'A' ? { answer: [record(name, 'A', '192.0.2.80')] } : {};
});
const { request, follow, stop } = await besiege(servers);
const greedy: Requested[] = [];
for (let number = 1; number <= JOBS; number += 1) {
  // Each address of a /64 is the same client.
  greedy.push(await request(`www${number}.silent`, `2001:db8::${number}`));
}
const refused = greedy.flatMap((one) => (one.kind === 'refused' ? [one] : []));
say('jobs of the greedy client', `${JOBS - refused.length} accepted, ${refused.length} refused`);
const [first] = refused;
if (first !== undefined) say('refused with', `${first.status}, Retry-After: ${first.retryAfter}`);

const modest = await request('www.fine', '2001:db8:0:1::1');
if (modest.kind === 'refused') {
  say("the other client's job", `refused with ${modest.status}`);
  process.exitCode = 1;
} else {
  const { completeMs } = await follow(modest.events);
  say("the other client's job", `ended after ${shown(completeMs)}`);
  if (!(completeMs < MOST_MS)) process.exitCode = 1;
}
stop();
process.exit();
