import t from 'tap';
import { checkSigned } from './check.ts';
import { faulty } from './world/faulty.ts';
import { sound } from './world/sound.ts';
import type { Signed, SignedZone, World } from './world/world.ts';

/** The same worlds, with other tools, algorithms and denials. */
function resigned(worlds: readonly World[], signed: Signed): readonly World[] {
  return worlds.map((world) => ({ ...world, zones: world.zones.map((zone) => resign(zone, signed)) }));
}

function resign(zone: SignedZone, [tool, algorithm, denial]: Signed): SignedZone {
  if (isAboutDenial(zone)) return zone;
  return { ...zone, tool: tool === 'PowerDNS' && !isSignedNow(zone) ? 'BIND' : tool, algorithm, denial };
}

/** Opt-out and iterations are what such a zone is about. */
function isAboutDenial({ denial }: SignedZone): boolean {
  return denial.kind === 'nsec3' && (denial.optOut || denial.iterations > 0);
}

/** PowerDNS signs at no other time. */
function isSignedNow({ copies }: SignedZone): boolean {
  return copies.every(({ signed }) => signed === 'unsigned' || signed.time === 'now');
}

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
