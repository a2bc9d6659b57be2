import t from 'tap';
import { checkSigned } from './signed/check.ts';
import { faulty } from './signed/world/faulty.ts';
import { resigned } from './signed/world/resigned.ts';
import { sound } from './signed/world/sound.ts';
import { nsec, nsec3, type Signed } from './signed/world/world.ts';

const worlds = [...sound, ...faulty];
const effort = { times: 50, processes: 4 };
/** Milliseconds for each part: four hours, for on a busy machine one took more than one. */
const PART_MS = 14_400_000;

/** Beside the way in which each world is signed to begin with. */
const otherwise: readonly Signed[] = [
  ['BIND', 'ECDSAP256SHA256', nsec3()],
  ['Knot', 'RSASHA256', nsec],
  ['PowerDNS', 'ED25519', nsec3()],
];

t.test('zones signed by BIND, Knot DNS and PowerDNS', { timeout: PART_MS }, async (t) => {
  await checkSigned(t, { worlds, effort, byHand: true });
});

for (const signed of otherwise) {
  const [tool, algorithm, denial] = signed;
  t.test(`all zones signed by ${tool}, ${algorithm}, ${denial.kind}`, { timeout: PART_MS }, async (t) => {
    await checkSigned(t, { worlds: resigned(worlds, signed), effort, byHand: false });
  });
}
