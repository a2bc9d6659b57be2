/** Random worlds walked by the program, and what comes out beside what the brute force expects. */
import { type Name, parseName } from '../../src/dns/name.ts';
import type { Outcome } from '../../src/evaluate/distribution.ts';
import type { End } from '../../src/evaluate/end.ts';
import { type Evaluation, evaluate } from '../../src/evaluate/evaluate.ts';
import { fractionText } from '../../src/evaluate/fraction.ts';
import { type Query, queryKey } from '../../src/exchange/query.ts';
import { delegationOf } from '../../src/explore/delegation.ts';
import { Explorer } from '../../src/explore/explore.ts';
import type { Recording, Scope } from '../../src/explore/recording.ts';
import type { Known } from '../../src/explore/replayed-exploration.ts';
import { type Leaf, lowest, plus, type Ratio } from './leaf.ts';
import { exchangeOf, type World } from './random-world.ts';

export interface Run {
  /** "address name type" in the order asked. */
  readonly asked: readonly string[];
  /** Those of them that count, that is, are within the query limit. */
  readonly counted: ReadonlySet<string>;
  /** Whether the query limit kept something from being asked. */
  readonly limited: boolean;
  readonly recording: Recording;
  readonly known: Known | undefined;
  readonly evaluation: Evaluation;
}

/** How many turns of the event loop's microtasks the slowest reply takes. */
const TURNS = 9;

/** Explores a world and evaluates what was heard, once the `planned` delegations were made. */
export async function runWorld(
  world: World,
  maxQueries: number,
  check: Scope['check'],
  planned?: Scope['planned'],
): Promise<Run> {
  const scope: Scope = {
    question: { name: parseName(world.name), type: world.type },
    hints: delegationOf(
      parseName('.'),
      new Map<Name, readonly string[]>(
        world.roots.map(({ name, addresses }) => [parseName(name), addresses]),
      ),
    ),
    families: world.families,
    maxDepth: world.maxDepth,
    maxWork: 100_000,
    specialTargets: 'blocked',
    warm: check,
    check,
    ...(planned && { planned }),
  };
  const asked: string[] = [];
  const explorer = new Explorer(scope, { maxQueries, maxTimeMs: 60_000 });
  const exchange = async (query: Query) => {
    asked.push(spelled(query));
    const exchanged = exchangeOf(world, query);
    // Whoever asks gets the replies in another order, and in batches.
    for (let turns = exchanged.elapsedMs % TURNS; turns > 0; turns -= 1) await undefined;
    return exchanged;
  };
  const { recording, known } = await explorer.run(exchange, new AbortController().signal, {
    heard: () => undefined,
  });
  const counted = [...recording.exchanges.values()].filter((one) => !recording.unasked.has(queryKey(one)));
  const limited = [...recording.unasked.values()].some(({ why }) => why.kind === 'query-limit');
  return {
    asked,
    counted: new Set(counted.map(spelled)),
    limited,
    recording,
    known,
    evaluation: evaluate(recording),
  };
}

function spelled({ address, question }: Query): string {
  return `${address} ${question.name} ${question.type}`;
}

/** Where the outcomes of a view differ from the leaves, whose shares are added up. */
export function compareView(view: string, leaves: readonly Leaf[], outcomes: readonly Outcome[]): string[] {
  const sums = new Map<string, Ratio>();
  for (const { end, p } of leaves) sums.set(end, plus(sums.get(end) ?? [0n, 1n], p));
  const expected = [...sums].map(([end, p]) => `${end} = ${text(p)}`);
  return compareLines(view, expected, spelledView(outcomes));
}

/** The lines that only one side has. */
export function compareLines(what: string, expected: readonly string[], actual: readonly string[]): string[] {
  return [
    ...expected.filter((line) => !actual.includes(line)).map((line) => `${what} misses ${line}`),
    ...actual.filter((line) => !expected.includes(line)).map((line) => `${what} has ${line}`),
  ];
}

/** The outcomes of a view, in the words of the brute force's leaves. */
export function spelledView(outcomes: readonly Outcome[]): string[] {
  return outcomes.map(({ end, probability }) => `${endText(end)} = ${fractionText(probability)}`);
}

function text(p: Ratio): string {
  const [n, d] = lowest(p);
  return d === 1n ? `${n}` : `${n}/${d}`;
}

function endText(end: End): string {
  const server = end.server === null ? '-' : `${end.server.name} ${end.server.address}`;
  return [end.kind, end.question.name, end.question.type, end.zone, server, detail(end)].join('|');
}

function detail(end: End): string {
  switch (end.kind) {
    case 'answer': {
      const records = end.records.map(({ name, type, data }) => `${name} ${type} ${data.toLowerCase()}`);
      return records.sort().join(',');
    }
    case 'error':
      return end.rcode;
    case 'alias-loop':
      return end.target;
    case 'lame':
      return `${end.reason} ${end.referredTo ?? '-'}`;
    case 'unresolvable-ns':
    case 'no-glue':
      return end.cause === undefined ? end.nameserver : `${end.nameserver} because (${endText(end.cause)})`;
    case 'loop':
      return end.nameserver;
    default:
      return '';
  }
}
