import t from 'tap';
import type { TraversalResult } from '../../../src/document/result.ts';
import { SIGNED } from './healthy-signed.ts';
import { UNSIGNED } from './healthy-unsigned.ts';
import { FAULTY_ANSWERS } from './planted-answers.ts';

import { FAULTY_DELEGATIONS } from './planted-delegations.ts';
import { FAULTY_DNSSEC } from './planted-dnssec.ts';
import { FURTHER_FAULTS } from './planted-more.ts';
import { alarms, type PlantedRow, planted, told } from './planted-row.ts';
import { FAULTY_SERVERS } from './planted-servers.ts';
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

t.test('in healthy worlds nothing is found that somebody has to repair', async (t) => {
  await each<WorldRow>(
    { ...UNSIGNED, ...SIGNED },
    (row) => row,
    (name, _, result) => {
      const said = alarms(result).map(({ severity, code, message }) => `${severity} ${code}: ${message}`);
      t.same([result.verdict.status, ...said], ['ok'], name);
    },
  );
});

t.test('a fault is told by its code, culprit and scope, and who can repair it', async (t) => {
  await each<PlantedRow>(
    { ...FAULTY_SERVERS, ...FAULTY_DELEGATIONS, ...FAULTY_ANSWERS, ...FAULTY_DNSSEC, ...FURTHER_FAULTS },
    planted,
    (name, { tells }, result) => {
      t.same(told(result, tells), tells, name);
    },
  );
});
