/**
 * The engine's figures, each as a ratio within one run: how the cost of evaluating grows, and what sharing
 * equal steps saves over walking path by path.
 */
import { evaluate } from '../../src/evaluate/evaluate.ts';
import type { Exchanged } from '../../src/exchange/exchanged.ts';
import { queryKey } from '../../src/exchange/query.ts';
import { classifier } from '../../src/explore/classify.ts';
import type { Delegation } from '../../src/explore/delegation.ts';
import type { Recording } from '../../src/explore/recording.ts';
import { exploreTable, type TableWorld } from '../evaluate/table-world.ts';

const SERVERS = [1, 2, 3];
const RUNS = 9;

await growth();
await sharing();

/** Four times the questions, and a power of the paths. */
async function growth(): Promise<void> {
  const short = (await exploreTable(ladder(7))).recording;
  const long = (await exploreTable(ladder(28))).recording;
  const [times, again] = paired(
    () => evaluate(short),
    () => evaluate(long),
  );
  const paths = evaluate(long).countPaths() / evaluate(short).countPaths();
  say(
    'evaluating',
    `${ratio(long.exchanges.size, short.exchanges.size)} the questions and ${Number(paths).toExponential(0)} times the paths take ${ratio(again, times)} the time (${shown(times)}, ${shown(again)})`,
  );
}

/** Against a walk over every path, one by one, over the same exchanges. */
async function sharing(): Promise<void> {
  const { recording } = await exploreTable(ladder(9));
  const [shared, walked] = paired(
    () => evaluate(recording),
    () => walk(recording, recording.scope.hints),
  );
  say(
    'sharing steps',
    `${walk(recording, recording.scope.hints)} paths: ${ratio(walked, shared)} as fast as path by path (${shown(shared)}, ${shown(walked)})`,
  );
}

/** Three servers for each zone of a chain of them, one below the other. */
function ladder(levels: number): TableWorld {
  const zones = Array.from({ length: levels }, (_, i) =>
    Array.from({ length: i + 1 }, (_, j) => `z${i - j}.`).join(''),
  );
  const servers = (i: number) => SERVERS.map((last) => `ns${last}.${zones[i]}=192.0.${i}.${last}`).join(' ');
  const says: Record<string, string> = { '192.0.100.1 *': `referral ${zones[0]} ${servers(0)}` };
  zones.forEach((_zone, i) => {
    const next = zones[i + 1];
    for (const last of SERVERS) {
      says[`192.0.${i}.${last} *`] =
        next === undefined ? 'answer 192.0.2.80' : `referral ${next} ${servers(i + 1)}`;
    }
  });
  return { ask: `www.${zones.at(-1)} A`, roots: 'r.=192.0.100.1', says };
}

/** The number of paths from a delegation on, each walked to its end. */
function walk(recording: Recording, { zone, nameservers }: Delegation): number {
  const { question } = recording.scope;
  let paths = 0;
  for (const address of nameservers.flatMap(({ glue }) => glue)) {
    const exchanged: Exchanged | undefined = recording.exchanges.get(queryKey({ address, question }));
    if (exchanged === undefined) continue;
    const meaning = classifier(exchanged.outcome, question)(zone);
    paths += meaning.kind === 'referral' ? walk(recording, meaning.delegation) : 1;
  }
  return paths;
}

/** The median times of two pieces of work done in turn, in milliseconds. */
function paired(one: () => unknown, other: () => unknown): readonly [one: number, other: number] {
  const times: [number, number][] = Array.from({ length: RUNS }, () => [time(one), time(other)]);
  return [median(times.map(([first]) => first)), median(times.map(([, second]) => second))];
}

function time(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

function ratio(a: number, b: number): string {
  return `${(a / b).toPrecision(2)} times`;
}

function shown(ms: number): string {
  return `${ms.toPrecision(3)} ms`;
}

function say(what: string, figures: string): void {
  process.stdout.write(`${what}: ${figures}\n`);
}
