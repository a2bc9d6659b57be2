import type { End } from '../../evaluate/end.ts';
import type { Exchanged } from '../../explore/recording.ts';
import { isAtOrBelow, labelCount, type Name } from '../../wire/name.ts';
import type { Check, Draft } from './draft.ts';
import type { Evidence, Resolution } from './evidence.ts';
import { causeOf } from './reached.ts';
import { listed, plain } from './words.ts';

/**
 * DEPENDENCY_CYCLE: to look a name server up takes its own address. Told where the ring is entered:
 * where a lookup ends because the same name is wanted again. With no other server of the zone to be
 * found there is no way out (error); else only some paths go round (warning).
 */
export const dependencyCycle: Check = (evidence) => {
  const reachable = new Set<Name>();
  for (const { zone, addresses } of evidence.resolutions) if (addresses.size > 0) reachable.add(zone);
  return evidence.resolutions.flatMap((resolution): Draft[] => {
    const { zone, name } = resolution;
    const loops = resolution.failed.map(causeOf).filter((leaf) => needs(leaf, name));
    if (loops.length === 0) return [];
    const over = listed([...new Set(loops.map((leaf) => plain(leaf.zone)))]);
    const ring = `The address of ${plain(name)}, a server of ${plain(zone)}, depends on itself by way of ${over}`;
    const proof = ringProof(evidence, resolution, loops);
    if (reachable.has(zone)) {
      const message = `${ring} on some paths: break the ring with glue or with a server elsewhere.`;
      return [{ zone, server: { name }, severity: 'warning', message, proof }];
    }
    const message = `${ring}, and there is no way out: give one of the zones a server whose address does not depend on the other.`;
    return [{ zone, server: { name }, message, proof }];
  });
};

function needs(leaf: End, name: Name): boolean {
  return leaf.kind === 'loop' && leaf.nameserver === name;
}

/** The referrals to the zones on both sides of the ring's closing. */
function ringProof(evidence: Evidence, { zone }: Resolution, loops: readonly End[]): readonly Exchanged[] {
  return referralsTo(evidence, new Set([zone, ...loops.map((leaf) => leaf.zone)]));
}

function referralsTo({ referred }: Evidence, zones: ReadonlySet<Name>): readonly Exchanged[] {
  return referred
    .filter(({ delegation }) => zones.has(delegation.zone))
    .flatMap(({ heard }) => heard.map(({ exchanged }) => exchanged));
}

/** From this number of foreign domains on it is worth a word. */
const MANY_DOMAINS = 10;

/** DEPENDENCY_WIDE: how many domains beside the name's own must work (or may be attacked) for it. */
export const dependencyWide: Check = (evidence) => {
  const own = new Set<Name>();
  const foreign = new Set<Name>();
  for (const place of evidence.mainPlaces) own.add(place.question.name);
  for (const { delegation } of evidence.places) {
    const { zone } = delegation;
    // Directly below a top-level domain: about as many as there are operators.
    if (labelCount(zone) === 2 && ![...own].some((name) => isAtOrBelow(name, zone))) foreign.add(zone);
  }
  if (foreign.size < MANY_DOMAINS) return [];
  const names = listed([...foreign].map(plain));
  const message = `Looking ${plain(evidence.plan.question.name)} up can take ${foreign.size} other domains (${names}), each of which must be kept working: use name servers in fewer domains.`;
  return [{ message, proof: referralsTo(evidence, foreign) }];
};
