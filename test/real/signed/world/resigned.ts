import type { SignedZone } from './signed-zone.ts';
import type { Signed, World } from './world.ts';

/** The same worlds, with other tools, algorithms and denials. */
export function resigned(worlds: readonly World[], signed: Signed): readonly World[] {
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
