import { isUsable } from '../explore/response.ts';
import { type AddressOutcome, addressOutcomes } from './address-outcome.ts';
import { Collector, certainly, type Distribution } from './distribution.ts';
import { type End, isUnknown } from './end.ts';
import { firstUsable } from './first-usable.ts';
import { add, type Fraction, multiply, ONE, share, ZERO } from './fraction.ts';
import { PROBABILITY } from './measure.ts';
import type { Place, ServerAt, Visit, Walk } from './place.ts';
import { visitEnd } from './visit-end.ts';

/**
 * The resolver view (MODEL 7): as a resolver behaves that tries another server when one gives nothing
 * usable, and does not go back up. Folds the places of one unfolding, each once.
 */
export class ResolverView {
  readonly #distributions = new Map<Place, Distribution<Fraction>>();

  /** Where a resolver's walks end, and with what probability. */
  distribution(walk: Walk): Distribution<Fraction> {
    if (walk.kind === 'cut') return certainly(walk.end, PROBABILITY);
    let distribution = this.#distributions.get(walk.place);
    if (distribution === undefined) {
      distribution = this.#fold(walk.place);
      this.#distributions.set(walk.place, distribution);
    }
    return distribution;
  }

  #fold(place: Place): Distribution<Fraction> {
    const collector = new Collector<Fraction>(PROBABILITY);
    const servers = place.servers.map((server) => ({ server, chances: this.#usableChances(place, server) }));
    const { first, none } = firstUsable(servers.map(({ chances }) => total(chances)));
    const walks = new Map<Walk, Fraction>();
    servers.forEach(({ server, chances }, i) => {
      for (const chance of chances) {
        const weight = multiply(first[i] ?? ZERO, chance.weight);
        if (chance.kind === 'limited') collector.add(chance.end, weight);
        else spread(place, server, chance.addresses, weight, collector, walks);
      }
    });
    for (const [walk, weight] of walks) collector.addAll(this.distribution(walk), weight);
    if (none.numerator !== 0n) {
      const { question, delegation } = place;
      collector.add({ kind: 'servfail', question, zone: delegation.zone, server: null }, none);
    }
    return collector.distribution;
  }

  /** The ways in which a server can be usable, with their probabilities. */
  #usableChances(place: Place, server: ServerAt): readonly UsableChance[] {
    switch (server.kind) {
      case 'glue':
        return usableAmong(place, { kind: 'addresses', addresses: server.addresses, weight: ONE });
      case 'not-looked-up':
        return [];
      case 'lookup': {
        const lookups = server.lookups.map(({ walk }) => this.distribution(walk));
        return addressOutcomes(lookups, PROBABILITY).flatMap((outcome) => usableAmong(place, outcome));
      }
    }
  }
}

type UsableChance = { readonly weight: Fraction } & (
  | { readonly kind: 'addresses'; readonly addresses: readonly string[] }
  | { readonly kind: 'limited'; readonly end: End }
);

function usableAmong(place: Place, outcome: AddressOutcome<Fraction>): readonly UsableChance[] {
  const { weight } = outcome;
  if (outcome.kind === 'none') {
    // Unknown, not broken: a lookup that a limit ended counts as usable and ends in that limit.
    return isUnknown(outcome.end) ? [{ kind: 'limited', end: outcome.end, weight }] : [];
  }
  const addresses = outcome.addresses.filter((address) => isUsableVisit(place.visits.get(address)));
  return addresses.length === 0 ? [] : [{ kind: 'addresses', addresses, weight }];
}

function isUsableVisit(visit: Visit | undefined): boolean {
  return visit !== undefined && (visit.kind === 'not-asked' || isUsable(visit.response));
}

function total(chances: readonly UsableChance[]): Fraction {
  return chances.reduce((sum, { weight }) => add(sum, weight), ZERO);
}

function spread(
  place: Place,
  server: ServerAt,
  addresses: readonly string[],
  weight: Fraction,
  collector: Collector<Fraction>,
  walks: Map<Walk, Fraction>,
): void {
  const each = multiply(weight, share(addresses.length));
  for (const address of addresses) {
    const visit = place.visits.get(address);
    if (visit === undefined) continue;
    if (visit.kind === 'heard' && visit.onward.kind === 'walk') {
      walks.set(visit.onward.walk, add(walks.get(visit.onward.walk) ?? ZERO, each));
    } else {
      collector.add(visitEnd(place, visit, server.name, address), each);
    }
  }
}
