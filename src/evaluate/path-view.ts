import { type AddressOutcome, addressOutcomes } from './address-outcome.ts';
import { Collector, certainly, type Distribution } from './distribution.ts';
import type { End } from './end.ts';
import type { Measure } from './measure.ts';
import type { Place, ServerAt, Walk } from './place.ts';
import { failedLookupEnd, visitEnd } from './visit-end.ts';

/** One way to leave a place: a server and an address of it were picked, or the path ended before. */
export type Pick<W> = { readonly server: ServerAt; readonly weight: W } & (
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'end'; readonly end: End }
);

/**
 * The path view (MODEL 1): every pick is uniform and final. Folds the places of one unfolding with one
 * measure; each place is folded once, however many paths meet there.
 */
export class PathView<W> {
  readonly #measure: Measure<W>;
  readonly #distributions = new Map<Place, Distribution<W>>();
  readonly #picks = new Map<Place, readonly Pick<W>[]>();

  constructor(measure: Measure<W>) {
    this.#measure = measure;
  }

  /** Where the paths of a walk end, and with what weight. */
  distribution(walk: Walk): Distribution<W> {
    if (walk.kind === 'cut') return certainly(walk.end, this.#measure);
    let distribution = this.#distributions.get(walk.place);
    if (distribution === undefined) {
      distribution = this.#fold(walk.place);
      this.#distributions.set(walk.place, distribution);
    }
    return distribution;
  }

  /** The picks a path makes at a place, each with its weight there. */
  picks(place: Place): readonly Pick<W>[] {
    let picks = this.#picks.get(place);
    if (picks === undefined) {
      const each = this.#measure.share(place.servers.length);
      picks = place.servers.flatMap((server) => this.#picksOf(place, server, each));
      this.#picks.set(place, picks);
    }
    return picks;
  }

  /** The walks that go on from a place, each once, with the weight of the picks that lead to it. */
  onward(place: Place): ReadonlyMap<Walk, W> {
    const weights = new Map<Walk, W>();
    for (const pick of this.picks(place)) {
      const walk = walkOf(place, pick);
      if (walk === undefined) continue;
      const known = weights.get(walk);
      weights.set(walk, known === undefined ? pick.weight : this.#measure.add(known, pick.weight));
    }
    return weights;
  }

  /** What the lookups of a server come to. */
  outcomes(server: ServerAt & { kind: 'lookup' }): readonly AddressOutcome<W>[] {
    return addressOutcomes(
      server.lookups.map(({ walk }) => this.distribution(walk)),
      this.#measure,
    );
  }

  #fold(place: Place): Distribution<W> {
    const collector = new Collector<W>(this.#measure);
    for (const pick of this.picks(place)) {
      if (pick.kind === 'end') collector.add(pick.end, pick.weight);
      else if (walkOf(place, pick) === undefined) collector.add(endOf(place, pick), pick.weight);
    }
    for (const [walk, weight] of this.onward(place)) collector.addAll(this.distribution(walk), weight);
    return collector.distribution;
  }

  #picksOf(place: Place, server: ServerAt, weight: W): readonly Pick<W>[] {
    switch (server.kind) {
      case 'glue':
        return this.#spread(server, server.addresses, weight);
      case 'not-looked-up':
        return [{ kind: 'end', server, end: server.end, weight }];
      case 'lookup':
        return this.outcomes(server).flatMap((outcome) => {
          const reached = this.#measure.multiply(weight, outcome.weight);
          if (outcome.kind === 'addresses') return this.#spread(server, outcome.addresses, reached);
          const end = failedLookupEnd(
            place,
            server.name,
            server.inDomain ? 'in-domain' : 'elsewhere',
            outcome.end,
          );
          return [{ kind: 'end', server, end, weight: reached }];
        });
    }
  }

  #spread(server: ServerAt, addresses: readonly string[], weight: W): readonly Pick<W>[] {
    const each = this.#measure.multiply(weight, this.#measure.share(addresses.length));
    return addresses.map((address) => ({ kind: 'address', server, address, weight: each }));
  }
}

function walkOf<W>(place: Place, pick: Pick<W>): Walk | undefined {
  if (pick.kind === 'end') return undefined;
  const visit = place.visits.get(pick.address);
  return visit?.kind === 'heard' && visit.onward.kind === 'walk' ? visit.onward.walk : undefined;
}

function endOf<W>(place: Place, pick: Pick<W> & { kind: 'address' }): End {
  const visit = place.visits.get(pick.address);
  if (visit === undefined) throw new Error(`no visit for ${pick.address}`);
  return visitEnd(place, visit, pick.server.name, pick.address);
}
