/* Says why replies are insecure: at which zone cut on the way the chain of trust ends. */

import { getOrMake } from '../../base/memo.ts';
import type { Insecurity } from '../../dns/dnssec/trust.ts';
import type { Name } from '../../dns/name.ts';
import { type Delegation, delegationKey } from '../../explore/delegation.ts';
import { addressesOf } from '../addresses-to-pick.ts';
import type { ExchangeVerdict, Step, ValidatedWalkStep } from '../step.ts';

type InsecureVerdict = Extract<ExchangeVerdict, { status: 'insecure' }>;

/** What was made of exchanges at a step, by their keys. */
type StepVerdicts = Iterable<readonly [string, ExchangeVerdict]>;

/**
 * Adds to insecure verdicts of these steps the reasons that lie on the way there, and the names of the servers that gave
 * the proof. It is done once everything is folded: steps and ends do not depend on reasons, of which paths to one step may have
 * several. The first one met is named then, parents first.
 */
export function explanations(
  steps: readonly ValidatedWalkStep[],
): (step: ValidatedWalkStep, verdicts: StepVerdicts) => StepVerdicts {
  const zones = new InsecureZones(steps);
  return (step, verdicts) =>
    [...verdicts].map(([exchange, verdict]) => [
      exchange,
      verdict.status === 'insecure' ? zones.explain(step, verdict) : verdict,
    ]);
}

class InsecureZones {
  /** By the delegation of an insecure zone: how paths come to it. */
  readonly #ways = new Map<string, Way>();
  readonly #known = new Map<string, InsecureVerdict>();
  /** Of the servers at a step, by address. */
  readonly #names = new Map<Step, ReadonlyMap<string, Name>>();

  constructor(steps: readonly ValidatedWalkStep[]) {
    // Each step comes after all that it leads to.
    for (const step of [...steps].reverse())
      for (const { walk, why } of step.validated.referrals)
        if (walk.kind === 'step') getOrMake(this.#ways, keyOf(walk.step), () => ({ from: step, why }));
  }

  explain(step: Step, verdict: InsecureVerdict): InsecureVerdict {
    if (verdict.why !== undefined) return this.#proven(verdict.why, step);
    return isInsecure(step.delegation) ? this.#at(step) : verdict;
  }

  /** What everything in the zone of a step is, if that is insecure. */
  #at(step: Step): InsecureVerdict {
    return getOrMake(this.#known, keyOf(step), () => {
      const way = this.#ways.get(keyOf(step));
      if (way === undefined) return this.#proven(trustIn(step.delegation), step);
      const { from, why } = way;
      return isInsecure(from.delegation) ? this.#below(from) : this.#proven(why, from);
    });
  }

  #below(step: Step): InsecureVerdict {
    const zone = this.#at(step).why?.zone ?? step.delegation.zone;
    return { status: 'insecure', why: { reason: 'unsigned-parent', zone } };
  }

  /** The reason, with the name of the server at a step that proved it. */
  #proven(why: Insecurity | undefined, step: Step): InsecureVerdict {
    if (why === undefined) return { status: 'insecure' };
    const { address } = why;
    const name = address === undefined ? undefined : this.#namesAt(step).get(address);
    if (address === undefined || name === undefined) return { status: 'insecure', why };
    return { status: 'insecure', why, server: { name, address } };
  }

  #namesAt(step: Step): ReadonlyMap<string, Name> {
    return getOrMake(this.#names, step, () => {
      const named = step.servers.flatMap((server) =>
        addressesOf(server).map((address) => [address, server.name] as const),
      );
      // The first name of each address counts.
      return new Map(named.reverse());
    });
  }
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
