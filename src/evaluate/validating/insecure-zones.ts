/* Says why replies are insecure: at which zone cut on the way the chain of trust ends. */

import { getOrMake } from '../../base/memo.ts';
import type { Insecurity } from '../../dns/dnssec/trust.ts';
import { type Delegation, delegationKey } from '../../explore/delegation.ts';
import { addressesOf } from '../addresses-to-pick.ts';
import type { ExchangeVerdict, Step, ValidatedWalkStep } from '../step.ts';

type InsecureVerdict = Extract<ExchangeVerdict, { status: 'insecure' }>;

/**
 * Adds to insecure verdicts at these steps the reasons that lie on the way there, and the names of the servers that gave
 * the proof. It is done once everything is folded: steps and ends do not depend on reasons, of which paths to one step may have
 * several. The first one met is named then, parents first.
 */
export function explanations(
  steps: readonly ValidatedWalkStep[],
): (step: Step, verdict: ExchangeVerdict) => ExchangeVerdict {
  /** By the delegation of an insecure zone: how paths come to it. */
  const ways = new Map<string, Way>();
  // Each step comes after all that it leads to.
  for (const step of [...steps].reverse())
    for (const { walk, why } of step.validated.referrals)
      if (walk.kind === 'step') getOrMake(ways, keyOf(walk.step), () => ({ from: step, why }));
  const known = new Map<string, InsecureVerdict>();
  /** What everything in the zone of a step is, if that is insecure. */
  const inZone = (step: Step): InsecureVerdict =>
    getOrMake(known, keyOf(step), () => {
      const way = ways.get(keyOf(step));
      if (way === undefined) return proven(trustIn(step.delegation), step);
      const { from, why } = way;
      if (!isInsecure(from.delegation)) return proven(why, from);
      const zone = inZone(from).why?.zone ?? from.delegation.zone;
      return { status: 'insecure', why: { reason: 'unsigned-parent', zone } };
    });
  return (step, verdict) => {
    if (verdict.status !== 'insecure') return verdict;
    if (verdict.why !== undefined) return proven(verdict.why, step);
    return isInsecure(step.delegation) ? inZone(step) : verdict;
  };
}

/** The reason, with the name of the server at a step that proved it: the first name of its address. */
function proven(why: Insecurity | undefined, step: Step): InsecureVerdict {
  if (why === undefined) return { status: 'insecure' };
  const { address } = why;
  const server = step.servers.find((one) => address !== undefined && addressesOf(one).includes(address));
  if (address === undefined || server === undefined) return { status: 'insecure', why };
  return { status: 'insecure', why, server: { name: server.name, address } };
}

/** A step that refers to an insecure zone, and the reason that is known there; none where the step's zone is insecure. */
interface Way {
  readonly from: Step;
  readonly why: Insecurity | undefined;
}

function keyOf({ delegation }: Step): string {
  return delegationKey(delegation);
}

function isInsecure({ trust }: Delegation): boolean {
  return trust?.kind !== 'secure';
}

/** Of the root zone, whose trust nobody refers to. */
function trustIn({ trust }: Delegation): Insecurity | undefined {
  return trust?.kind === 'insecure' ? trust.why : undefined;
}
