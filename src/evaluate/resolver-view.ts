import type { Work } from '../base/work.ts';
import { isUsable } from '../explore/meaning.ts';
import { certainly, type Distribution } from './distribution.ts';
import type { End } from './end.ts';
import { type Fraction, multiply, ONE, share, sum, ZERO } from './fraction.ts';
import { type Step, type StepServer, type Visit, visitAt, type Walk } from './step.ts';
import { Branches, workOfFold } from './views/branches.ts';
import { firstUsable } from './views/first-usable.ts';
import { lookupResult } from './views/lookup-result.ts';

/**
 * svc-model(7), RESOLVER VIEW: as a resolver behaves that tries another server when one gives nothing
 * usable, and does not go back up. Once folding took more work than there may be, every distribution is void.
 */
export class ResolverView {
  readonly #work: Work;
  readonly #distributions = new Map<Step, Distribution>();

  constructor(work: Work) {
    this.#work = work;
  }

  /** Where a resolver's walks end, and with what probability. */
  readonly distribution = (walk: Walk): Distribution => {
    if (walk.kind === 'cut') return certainly(walk.end);
    const distribution = this.#distributions.get(walk.step);
    if (distribution === undefined) throw new Error('a step was not folded before those that lead to it');
    return distribution;
  };

  /** Folds a step, after all that it leads to. */
  fold(step: Step): void {
    if (this.#work.exceeded) return;
    const branches = new Branches(step);
    const chances = step.servers.map((server) =>
      usableChances(server, (address) => isUsableAt(step, visitAt(server, address)), this.distribution),
    );
    const usable = chances.map((ways) => sum(ways.map(({ weight }) => weight)));
    const { first, none } = firstUsable(usable, this.#work);
    step.servers.forEach((server, i) => {
      for (const way of chances[i] ?? []) take(server, way, first[i] ?? ZERO, branches);
    });
    if (none.numerator > 0n) {
      const { ends, otherwise } = step;
      if (otherwise !== undefined) branches.goOn(otherwise, none);
      else branches.end(ends.servfail, none);
    }
    const merged = branches.merge(this.distribution);
    this.#distributions.set(step, merged.distribution);
    this.#work.spend(workOfFold({ ...merged, picks: step.servers.length }));
  }
}

/** A way in which a server can be usable, with its probability: by some of its addresses, or because a limit ends its lookup. */
export type UsableChance = { readonly weight: Fraction } /** `set`: all that its lookups gave. */ & (
  | { readonly kind: 'addresses'; readonly addresses: readonly string[]; readonly set: readonly string[] }
  | { readonly kind: 'limited'; readonly end: End }
);

/** The ways in which a server can be usable. `distributionOf` tells where its lookups end. */
export function usableChances(
  server: StepServer,
  isUsable: (address: string) => boolean,
  distributionOf: (walk: Walk) => Distribution,
): readonly UsableChance[] {
  return addressWays(server, distributionOf).flatMap((way): readonly UsableChance[] => {
    // Unknown, not broken: a lookup that a limit ended counts as usable and ends in that limit.
    if (way.kind === 'limited') return [way];
    const addresses = way.set.filter(isUsable);
    return addresses.length === 0 ? [] : [{ ...way, addresses }];
  });
}

/** What a server's lookups come to, with its probability: addresses, none of which need be usable, or a limit. */
export type AddressWay = { readonly weight: Fraction } & (
  | { readonly kind: 'addresses'; readonly set: readonly string[] }
  | { readonly kind: 'limited'; readonly end: End }
);

/** All that a server's lookups can come to; the weights sum to 1. */
export function addressWays(
  server: StepServer,
  distributionOf: (walk: Walk) => Distribution,
): readonly AddressWay[] {
  switch (server.kind) {
    case 'glue':
      return [{ kind: 'addresses', set: server.addresses, weight: ONE }];
    case 'not-looked-up':
      return [{ kind: 'addresses', set: [], weight: ONE }];
    case 'lookup': {
      const { whole, sets, limits, causes } = lookupResult(
        server.lookups.map(({ walk }) => distributionOf(walk)),
        server.selection,
      );
      const weigh = (parts: bigint): Fraction => ({ numerator: parts, denominator: whole });
      const none = [...causes.values()].reduce((sum, parts) => sum + parts, 0n);
      return [
        ...[...sets.values()].map(({ addresses, parts }): AddressWay => {
          return { kind: 'addresses', set: addresses, weight: weigh(parts) };
        }),
        ...(none === 0n ? [] : [{ kind: 'addresses', set: [], weight: weigh(none) } as const]),
        ...[...limits].map(([end, parts]): AddressWay => ({ kind: 'limited', end, weight: weigh(parts) })),
      ];
    }
  }
}

function isUsableAt({ otherwise }: Step, visit: Visit): boolean {
  if (visit.kind === 'not-asked') return true;
  return otherwise === undefined ? isUsable(visit.meaning.kind) : visit.onward.kind === 'own-set';
}

/** Adds what comes of a server that is usable in this way, given that it is the `first` usable one. */
function take(server: StepServer, way: UsableChance, first: Fraction, branches: Branches): void {
  const weight = multiply(first, way.weight);
  switch (way.kind) {
    case 'limited':
      branches.end(way.end, weight);
      return;
    case 'addresses': {
      const each = multiply(weight, share(way.addresses.length));
      for (const address of way.addresses) branches.pick(server, address, each);
    }
  }
}
