/**
 * Hole: whoever floods a host with forged replies might have one believed, or keep it from hearing the right
 * ones. No forgery may be accepted, and a traversal may take at most three times as long as without.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseName } from '../../src/dns/name.ts';
import { summaryOf } from '../../src/document/ends.ts';
import { DEFAULT_OPTIONS } from '../../src/document/options.ts';
import type { Endpoint } from '../../src/exchange/attempt.ts';
import { createExchange } from '../../src/exchange/exchange.ts';
import { parseRootHints } from '../../src/explore/root-hints.ts';
import type { Fault } from '../../src/lab/faults.ts';
import { startLab } from '../../src/lab/lab.ts';
import { zoneText } from '../../src/lab/zone-text.ts';
import { traverse } from '../../src/traversal/traverse.ts';
import { quantile, say, shown } from '../bench/figures.ts';

/** Name servers of each of the two zones below the root. */
const SERVERS = 20;
/** Forged replies before each right one: some 20,000 a second, which cost their sender as much as us. */
const FORGED = 100;
const LATENCY_MS = 50;
const ANSWER = '203.0.113.80';
const ROUNDS = 9;
const MOST_TIMES_SLOWER = 3;

const FLOODS = ['none', 'wrong-id', 'wrong-port', 'wrong-question', 'garbage'] as const;
type Flood = (typeof FLOODS)[number];

/** What the process with the name servers tells the one that asks them. */
interface Opened {
  readonly hints: string;
  readonly endpoints: ReadonlyMap<string, Endpoint>;
}

const flood = FLOODS.find((one) => one === process.argv[2]);
if (flood === undefined) {
  const usualMs = await besieged('none');
  for (const one of FLOODS) {
    if (one === 'none') continue;
    const times = (await besieged(one)) / usualMs;
    say(`flood of ${one}`, `${times.toFixed(2)} times as long as without`);
    if (times > MOST_TIMES_SLOWER) process.exitCode = 1;
  }
  process.exit();
}
const { hints, endpoints } = await open(flood);
process.send?.({ hints, endpoints } satisfies Opened);
process.on('disconnect', () => process.exit());

/** How long a traversal takes, in milliseconds: the median. */
async function besieged(flood: Flood): Promise<number> {
  const servers = fork(fileURLToPath(import.meta.url), [flood], {
    serialization: 'advanced',
  });
  const [opened]: Opened[] = await once(servers, 'message');
  if (opened === undefined) throw new Error('the servers say nothing');
  const took: number[] = [];
  let forged = 0;
  const before = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round += 1) {
    const { durationMs, views, figures } = await ask(opened);
    took.push(durationMs);
    forged += figures.packetsReceived - figures.exchanges;
    const summary = summaryOf(views['first-tries']);
    const [only] = summary;
    if (summary.length === 1 && only?.kind === 'answer' && only.answer?.join() === ANSWER) continue;
    say(`flood of ${flood}`, `a forgery counted: ${JSON.stringify(summary)}`);
    process.exitCode = 1;
  }
  servers.disconnect();
  const { user, system } = process.cpuUsage(before);
  const ownMs = (user + system) / 1_000 / ROUNDS;
  say(
    `traversal, flood of ${flood}`,
    `p50 ${shown(quantile(took, 0.5))}, own processor time ${shown(ownMs)}, ${forged / ROUNDS} forged replies heard`,
  );
  return quantile(took, 0.5);
}

async function ask({ hints, endpoints }: Opened) {
  const exchange = createExchange({ route: (address) => endpoints.get(address) });
  const options = { ...DEFAULT_OPTIONS, families: [4], specialTargets: 'allowed' } as const;
  const question = { name: parseName('www.a.example'), type: 'A' };
  const around = { exchange, emit: () => {}, signal: new AbortController().signal };
  return await traverse({ question, options, hints: parseRootHints(hints) }, around);
}

function open(flood: Flood) {
  const forging: readonly Fault[] = flood === 'none' ? [] : [{ kind: 'decoy', as: flood, count: FORGED }];
  const faults = [...forging, { kind: 'latency', ms: LATENCY_MS } as const];
  const numbers = Array.from({ length: SERVERS }, (_, index) => index + 1);
  const cut = (zone: string, third: number) =>
    numbers.map((n) => `${zone} NS n${n}.${zone}\nn${n}.${zone} A 192.0.${third}.${n}`).join('\n');
  const of = (zone: string, third: number, says: string) =>
    numbers.map((n) => ({
      name: `n${n}.${zone}`,
      addresses: [`192.0.${third}.${n}`],
      zones: [zoneText(zone, says)],
      faults,
    }));
  const root = `. NS a.root.\na.root. A 192.0.2.1\n${cut('example.', 3)}`;
  const own = `${cut('a.example.', 4)}\nwww.a.example. A ${ANSWER}`;
  return startLab({
    servers: [
      { name: 'a.root.', addresses: ['192.0.2.1'], zones: [zoneText('.', root)], faults },
      ...of('example.', 3, `${cut('example.', 3)}\n${cut('a.example.', 4)}`),
      ...of('a.example.', 4, own),
    ],
  });
}
