/* How long a resolver waits for an address, by what it has heard from it. */

import type { Behaviour } from '../../explore/profiles/profile.ts';
import type { Server } from './servers.ts';
import { MOST_REPLIES, type Slot, type State, type Task } from './states.ts';

/** The wait of a resolver for an address, in milliseconds: for each packet, and in all. */
export function patienceOf(
  { tries, time }: Behaviour,
  { silences, task }: State,
  { server, condition }: Slot,
): { readonly each: number; readonly inAll: number } {
  const own = condition.silences;
  const { toFirstTry, toNextTry, toHeard } = time;
  const wait = () => {
    const speed = speedOf(server, task);
    const replies = Math.max(condition.replies, condition.heard ? 1 : 0);
    if (toHeard?.kind === 'round-trips' && own === 0 && condition.heard)
      return Math.max(toHeard.times * speed, speed + toHeard.more);
    if (toHeard?.kind === 'smoothed' && replies > 0)
      return smoothedWait(toNextTry[0], speed, replies) * 2 ** own;
    const [waits, index] = own === 0 && toFirstTry !== undefined ? [toFirstTry, silences] : [toNextTry, own];
    return waits[Math.min(index, waits.length - 1)] ?? waits[0];
  };
  const each = wait();
  return { each, inAll: tries.kind === 'by-patience' ? tries.packets * each : each };
}

/** The wait after so many replies: their smoothed round-trip time, and four times its variation (RFC 6298 2). */
function smoothedWait(first: number, heardMs: number, replies: number): number {
  const rttMs = Math.max(QUICK_MS, heardMs);
  let mean = 0;
  let variation = first / 4;
  for (let i = 0; i < replies; i += 1) {
    const delta = rttMs - mean;
    mean += delta / 8;
    variation += (Math.abs(delta) - variation) / 4;
  }
  return mean + 4 * variation;
}

/** Of all servers that take next to no time. */
const QUICK_MS = 10;

/**
 * The servers of which it matters how often they have replied; there are far fewer states where it does not. It does not
 * where every reply comes in time whatever the waits are, and no wait decides which servers are within the band.
 */
export function countedReplies(
  servers: readonly Server[],
  { picks, tries, time: { toNextTry, toHeard } }: Behaviour,
): ReadonlySet<Server> {
  if (picks.fastest === 'smoothed') return new Set(servers);
  if (toHeard?.kind !== 'smoothed') return new Set();
  const all = servers.map((server) => {
    const times = [...server.stages, ...(server.keys ? [server.keys] : [])].map(({ heardMs }) => heardMs);
    const heard = new Set(times.filter((ms) => ms !== undefined));
    const waits = [...heard].flatMap((ms) => COUNTS.map((count) => smoothedWait(toNextTry[0], ms, count)));
    const isQuick = times.every((ms) => ms !== undefined && ms <= Math.min(...waits));
    return { server, waits, isQuick };
  });
  const quick = all.flatMap(({ waits, isQuick }) => (isQuick ? waits : []));
  const late = all.flatMap(({ waits, isQuick }) => (isQuick ? [] : waits));
  const others = [
    ...toNextTry,
    ...toNextTry.flatMap((_, silences) => late.map((wait) => wait * 2 ** silences)),
  ];
  const band = tries.kind === 'by-patience' ? tries.band : 0;
  const [least, most] = [Math.min(...quick), Math.max(...quick)];
  const isNear = (from: number, to: number) => others.some((wait) => from < wait && wait <= to);
  const decides =
    most > least + band || isNear(least + band, most + band) || isNear(least - band, most - band);
  const counted = all.filter(({ waits, isQuick }) => waits.length > 0 && (decides || !isQuick));
  return new Set(counted.map(({ server }) => server));
}

/** As many replies as are counted. */
const COUNTS = Array.from({ length: MOST_REPLIES }, (_, i) => i + 1);

/** The round-trip time that is known of a server that was heard: of an earlier stage, for nobody knows what it does now. */
export function speedOf({ stages, keys }: Server, task: Task): number {
  const stage = task.kind === 'stage' ? task.stage : stages.length + 1;
  for (let at = stage - 1; at >= 0; at -= 1) {
    const { heardMs, reaction } = stages[at] ?? {};
    // Nobody who goes on has heard a reply that ends the lookup, or asked where that was not recorded.
    if (heardMs !== undefined && reaction !== 'end') return heardMs;
  }
  return stages[stage]?.heardMs ?? keys?.heardMs ?? Number.POSITIVE_INFINITY;
}
