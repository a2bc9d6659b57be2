import t from 'tap';
import type { TraversalResult } from '../../../src/document/result.ts';
import { SIGNED } from './healthy-signed.ts';
import { UNSIGNED } from './healthy-unsigned.ts';
import { traverseRow, type WorldRow } from './world-row.ts';

/** As many at once as a small machine has room for: dead servers make some of them wait. */
const AT_ONCE = 16;

/** Traverses worlds, several at once. */
async function each<T>(
  rows: Readonly<Record<string, T>>,
  worldOf: (row: T) => WorldRow,
  tell: (name: string, row: T, result: TraversalResult) => void,
): Promise<void> {
  const left = Object.entries(rows).values();
  const traverseRest = async () => {
    for (const [name, row] of left) tell(name, row, await traverseRow(worldOf(row)));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, traverseRest));
}

const MATTERS: readonly string[] = ['warning', 'error', 'critical'];

t.test('in healthy worlds nothing is found that somebody has to repair', async (t) => {
  await each<WorldRow>(
    { ...UNSIGNED, ...SIGNED },
    (row) => row,
    (name, _, { findings, verdict }) => {
      const alarms = findings.filter(({ severity }) => MATTERS.includes(severity));
      const said = alarms.map(({ severity, code, message }) => `${severity} ${code}: ${message}`);
      t.same([verdict.status, ...said], ['ok'], name);
    },
  );
});
