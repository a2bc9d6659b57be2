import { isUsable } from '../explore/meaning.ts';
import { type AddressOutcome, addressOutcomes } from './address-outcome.ts';
import { Collector, certainly, type Distribution } from './distribution.ts';
import { type End, isUnknown } from './end.ts';
import { firstUsable } from './first-usable.ts';
import { type Fraction, multiply, ONE, sum, ZERO } from './fraction.ts';
import { PROBABILITY } from './measure.ts';
import type { Step, StepServer, Visit, Walk } from './step.ts';
import { visitEnd } from './visit-end.ts';

/**
 * The resolver view (MODEL 7): as a resolver behaves that tries another server when one gives nothing
 * usable, and does not go back up. Folds the steps of one unfolding, each once.
 */
export class ResolverView {
  readonly #distributions = new Map<Step, Distribution>();

  /** Where a resolver's walks end, and with what probability. */
  distribution(walk: Walk): Distribution {
    if (walk.kind === 'cut') return certainly(walk.end);
    let distribution = this.#distributions.get(walk.step);
    if (distribution === undefined) {
      distribution = this.#fold(walk.step);
      this.#distributions.set(walk.step, distribution);
    }
    return distribution;
  }

  #fold(step: Step): Distribution {
    const collector = new Collector();
    const servers = step.servers.map((server) => ({ server, chances: this.#usableChances(step, server) }));
    const { first, none } = firstUsable(
      servers.map(({ chances }) => sum(chances.map(({ weight }) => weight))),
    );
    const walks = new Map<Walk, Fraction[]>();
    servers.forEach(({ server, chances }, i) => {
      for (const chance of chances) {
        const weight = multiply(first[i] ?? ZERO, chance.weight);
        if (chance.kind === 'limited') collector.add(chance.end, weight);
        else spread(step, server, chance.addresses, weight, collector, walks);
      }
    });
    for (const [walk, weights] of walks) collector.addAll(this.distribution(walk), sum(weights));
    if (none.numerator > 0n) {
      const { question, delegation } = step;
      collector.add({ kind: 'servfail', question, zone: delegation.zone, server: null }, none);
    }
    return collector.distribution;
  }

  /** The ways in which a server can be usable, with their probabilities. */
  #usableChances(step: Step, server: StepServer): readonly UsableChance[] {
    switch (server.kind) {
      case 'glue':
        return usableAmong(step, { kind: 'addresses', addresses: server.addresses, weight: ONE });
      case 'not-looked-up':
        return [];
      case 'lookup': {
        const lookups = server.lookups.map(({ walk }) => this.distribution(walk));
        return addressOutcomes(lookups).flatMap((outcome) => usableAmong(step, outcome));
      }
    }
  }
}

type UsableChance = { readonly weight: Fraction } & (
  | { readonly kind: 'addresses'; readonly addresses: readonly string[] }
  | { readonly kind: 'limited'; readonly end: End }
);

function usableAmong(step: Step, outcome: AddressOutcome): readonly UsableChance[] {
  const { weight } = outcome;
  if (outcome.kind === 'none') {
    // Unknown, not broken: a lookup that a limit ended counts as usable and ends in that limit.
    return isUnknown(outcome.end) ? [{ kind: 'limited', end: outcome.end, weight }] : [];
  }
  const addresses = outcome.addresses.filter((address) => isUsableVisit(step.visits.get(address)));
  return addresses.length === 0 ? [] : [{ kind: 'addresses', addresses, weight }];
}

function isUsableVisit(visit: Visit | undefined): boolean {
  return visit !== undefined && (visit.kind === 'not-asked' || isUsable(visit.meaning.kind));
}

function spread(
  step: Step,
  server: StepServer,
  addresses: readonly string[],
  weight: Fraction,
  collector: Collector,
  walks: Map<Walk, Fraction[]>,
): void {
  const each = multiply(weight, PROBABILITY(addresses.length));
  for (const address of addresses) {
    const visit = step.visits.get(address);
    if (visit === undefined) continue;
    if (visit.kind === 'asked' && visit.onward.kind === 'walk') {
      walks.set(visit.onward.walk, [...(walks.get(visit.onward.walk) ?? []), each]);
    } else {
      collector.add(visitEnd(step, visit, server.name, address), each);
    }
  }
}
