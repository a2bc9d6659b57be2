import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answerData, type OutcomeRow } from '../../../src/document/ends.ts';
import { readResult } from '../../../src/document/read-result.ts';
import type { TraversalResult } from '../../../src/document/result.ts';
import type { Times } from '../../../src/document/when.ts';
import type { ProfileName } from '../../../src/explore/profiles/profiles.ts';
import { timesOfChange } from '../../../src/report/when/times.ts';
import { shareAt } from '../../../src/report/when/times-text.ts';
import { replay } from '../../../src/traversal/node-replay.ts';
import { run } from '../daemon.ts';
import type { Copy } from './copies.ts';
import { breaksOldServers } from './kinds.ts';

/** The files that lead a traversal into the lab. */
interface LabFiles {
  readonly directory: string;
  readonly hints: string;
  /** Absent: nothing is signed. */
  readonly anchors?: string;
}

/** Traverses the names of these copies as a user of the program does; the results are in their order. */
export async function traverseAll(
  copies: readonly Copy[],
  { directory, hints, anchors }: LabFiles,
): Promise<readonly TraversalResult[]> {
  const names = join(directory, 'names');
  await writeFile(names, copies.map(({ name, kind }) => `${name} ${kind.asks.type}\n`).join(''));
  const place = ['-4', '--root-hints', hints, '--allow-special-targets', '--rate', '0'];
  const trust = anchors === undefined ? [] : ['--trust-anchor', anchors];
  const args = [
    SVC,
    'traverse',
    '-f',
    names,
    '--format',
    'json',
    '--full',
    '--fail-on',
    'critical',
    ...place,
    ...trust,
  ];
  const lines = (await run({ program: process.execPath, args }, [0, 1])).trim().split('\n');
  const results = new Map(
    lines
      .map((line) => replay(readResult(JSON.parse(line))))
      .map((result) => [String(result.query.name), result]),
  );
  return copies.map(({ name }) => {
    const result = results.get(name);
    if (result === undefined) throw new Error(`${name} was not traversed`);
    return result;
  });
}

const SVC = fileURLToPath(new URL('../../../bin/svc.js', import.meta.url));

/** What the program says of a change, all moments in milliseconds after it. */
export interface Said {
  /** What users got that they do not get any more, in the words of `gotIn`. */
  readonly old: ReadonlySet<string>;
  readonly times: Times;
  readonly byProduct: (product: ProfileName) => SaidOfProduct;
}

/** What the program says of a change to users of a product. */
export interface SaidOfProduct {
  /** When the last old end is got; null: no moment is said. */
  readonly lastMs: number | null;
  /** The smallest TTL in the sum, and the number of its copies. */
  readonly leastMs: number;
  readonly copies: number;
  readonly shareAt: (ms: number) => number;
  /** Until when users can get SERVFAIL; 0: nobody does. */
  readonly failingMs: number;
}

/** What the program says of a copy whose change took place at the moment 0. */
export function saidOf({ label, kind }: Copy, before: TraversalResult, after: TraversalResult): Said {
  const times = timesOfChange(before, after, new Date(0));
  const [change] = times.changes ?? [];
  const { dangers = [] } = times;
  const failingOf = (product: ProfileName) =>
    dangers.flatMap(({ until, failing = [] }) =>
      until === null
        ? [Number.POSITIVE_INFINITY]
        : failing.filter(({ name }) => name === product).map(({ lastAt }) => Date.parse(lastAt)),
    );
  return {
    old: new Set((times.changes ?? []).map((one) => endIn(one.before, label))),
    times,
    byProduct: (product) => {
      const own = change?.profiles.find(({ name }) => name === product);
      // Old servers that stop give nothing new to hold: what is held has the time of a change of the data alone.
      const held = breaksOldServers(kind) ? dataIn(times, product) : undefined;
      const why = held?.why ?? own?.why ?? [];
      return {
        lastMs: held !== undefined ? held.lastMs : own === undefined ? 0 : momentOf(own.lastAt),
        leastMs: why.length === 0 ? 0 : 1_000 * Math.min(...why.map(({ ttl }) => ttl)),
        copies: why.length,
        shareAt: (ms) => shareAt(own?.points ?? [], ms),
        failingMs: Math.max(0, ...failingOf(product)),
      };
    },
  };
}

function momentOf(text: string | null): number | null {
  return text === null ? null : Date.parse(text);
}

function dataIn({ lead }: Times, product: ProfileName) {
  const row = lead.find(
    ({ change, rrset }) => change === 'data' || (change === 'new-name' && rrset.type !== 'SOA'),
  );
  return row?.profiles.find(({ name }) => name === product);
}

/** "~" stands for the label of the copy. */
function endIn(end: OutcomeRow, label: string): string {
  return end.kind === 'answer' ? [...answerData(end)].sort().join(' ').replaceAll(label, '~') : end.kind;
}
