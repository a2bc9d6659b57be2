import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { createFairClock } from '../../src/base/clock.ts';
import { getOrMake } from '../../src/base/memo.ts';
import { readShape } from '../../src/base/shape.ts';
import { parseName } from '../../src/dns/name.ts';
import { DEFAULT_OPTIONS, isQuick, type TraversalOptions } from '../../src/document/options.ts';
import { RESULT, type TraversalResult } from '../../src/document/result.ts';
import { CHOSEN_VIEWS, QUICK_VIEWS } from '../../src/evaluate/views.ts';
import { createExchange, probing } from '../../src/exchange/exchange.ts';
import { parseRootHints } from '../../src/explore/root-hints.ts';
import { demoWorld } from '../../src/lab/demo-world.ts';
import { type Lab, startLab } from '../../src/lab/lab.ts';
import type { Showcase } from '../../src/lab/showcases.ts';
import { trustAnchorOf } from '../../src/lab/world.ts';
import { traverse } from '../../src/traversal/traverse.ts';

/** One patient try: on a busy machine a late reply must not count as lost. */
const TRIES = { timeoutMs: 1_500, retries: 0 } as const;

/** The warm and the validating views, too. */
export const ALL_VIEWS: Partial<TraversalOptions> = {
  views: CHOSEN_VIEWS,
  trustAnchors: trustAnchorOf(demoWorld()).trim().split('\n'),
};

/** Where the files of one run keep results for each other; the runner makes it. Without it each file traverses anew. */
const RECORDED = process.env.TEST_RECORDED;

const QUICK = { views: QUICK_VIEWS };

const known = new Map<string, Promise<TraversalResult>>();
/** By whether it is quick: servers that answer by turns begin anew for those who ask more. */
const started = new Map<boolean, Promise<Lab>>();

/** The result for a showcase as users of the demo get it: all views, and the option that its line needs. */
export function showcaseResult({ name, type, option }: Showcase): Promise<TraversalResult> {
  return demoResult(name, type, { ...ALL_VIEWS, ...(option === '--check' && { check: true }) });
}

/** The result for a name of the demo over both families. A run traverses each once, as dead servers make it wait. */
export function demoResult(
  name: string,
  type = 'A',
  others: Partial<TraversalOptions> = {},
): Promise<TraversalResult> {
  const key = JSON.stringify([name, type, { ...QUICK, ...others }]);
  const result =
    known.get(key) ?? recordedResult(name, type, others, createHash('sha256').update(key).digest('hex'));
  known.set(key, result);
  return result;
}

async function recordedResult(
  name: string,
  type: string,
  others: Partial<TraversalOptions>,
  key: string,
): Promise<TraversalResult> {
  if (RECORDED === undefined) return await traverseDemo(name, type, others);
  const file = join(RECORDED, `${key}.json`);
  const earlier = textIn(file);
  if (earlier !== undefined) return readShape(RESULT, JSON.parse(earlier));
  const result = await traverseDemo(name, type, others);
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(result));
  renameSync(`${file}.${process.pid}`, file);
  return result;
}

/** Undefined: no file of this run needed it so far. */
function textIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

async function traverseDemo(
  name: string,
  type: string,
  others: Partial<TraversalOptions>,
): Promise<TraversalResult> {
  const lab = await getOrMake(started, isQuick({ ...QUICK, ...others }), () => startLab(demoWorld()));
  const exchange = createExchange({
    ...TRIES,
    clock: createFairClock(),
    route: lab.route,
  });
  return await traverse(
    {
      question: { name: parseName(name), type },
      options: { ...DEFAULT_OPTIONS, ...QUICK, ...TRIES, specialTargets: 'allowed', ...others },
      hints: parseRootHints(lab.hints),
    },
    {
      exchange,
      probing: probing(exchange),
      emit: () => undefined,
      signal: new AbortController().signal,
    },
  );
}

// Not `t.teardown`, after which tap ends when it has nothing to do, also while the next file loads.
t.after(async () => {
  for (const lab of started.values()) await (await lab).close();
});
