import type { Claim } from './claim.ts';
import type { Cut } from './knowledge.ts';
import type { Trust } from './trust.ts';
import type { Good } from './verdict.ts';

/** What a usable reply to a DS question says of its name: svc-model(7), VALIDATING 3f. */
export function cutIn(claim: Claim, { trust }: Good): Cut {
  if (trust !== undefined) return { kind: 'cut', trust };
  return { kind: claim.kind === 'nxdomain' ? 'no-name' : 'no-cut' };
}

/**
 * The trust that a reply to a DS question gives the zone that a referral without proof led to; undefined if the reply is
 * not usable for that: svc-model(7), VALIDATING 3d.
 */
export function trustIn(claim: Claim, { trust }: Good): Trust | undefined {
  return claim.kind === 'answer' || claim.kind === 'nodata' ? trust : undefined;
}
