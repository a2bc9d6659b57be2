import t from 'tap';
import { checkSigned } from './check.ts';
import { faulty } from './world/faulty.ts';
import { resigned } from './world/resigned.ts';
import { sound } from './world/sound.ts';
import type { Signed } from './world/world.ts';

const worlds = [...sound, ...faulty];
const effort = { times: 50, processes: 4 };
/** Milliseconds: eight hours, for on a busy machine a way of signing took more than one. */
const LIMIT_MS = 28_800_000;

/** Asks each question 50 times in the worlds as each is signed to begin with. */
export function checkOften(): void {
  t.test('zones signed by BIND, Knot DNS and PowerDNS', { timeout: LIMIT_MS }, async (t) => {
    await checkSigned(t, { worlds, effort, byHand: true });
  });
}

/** The same with all zones signed in one way. */
export function checkOftenResigned(signed: Signed): void {
  const [tool, algorithm, denial] = signed;
  t.test(`all zones signed by ${tool}, ${algorithm}, ${denial.kind}`, { timeout: LIMIT_MS }, async (t) => {
    await checkSigned(t, { worlds: resigned(worlds, signed), effort, byHand: false });
  });
}
