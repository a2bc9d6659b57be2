/* Servers in random order until one is of use: svc-model(7), RESOLVER VIEW. */

import type { Work } from '../../base/work.ts';
import type { Distribution } from '../distribution.ts';
import type { End } from '../end.ts';
import { type Fraction, multiply, share, sum, ZERO } from '../fraction.ts';
import type { Step, Walk } from '../step.ts';
import { firstUsable } from '../views/first-usable.ts';
import { type AddressWay, addressWays } from '../views/lookup-result.ts';

/** An address of a name server of the zone; undefined: a limit ended the look-up of that name. */
export interface AddressOfZone {
  readonly server: number;
  readonly address: string | undefined;
  readonly limited?: End;
}

/** What it takes to draw servers. */
export interface DrawTools {
  /** The ends of lookups. */
  readonly lookups: (walk: Walk) => Distribution;
  readonly work: Work;
}

/** What a resolver comes to that asks servers in random order until one is of use. The weights sum to 1. */
export interface Drawn {
  readonly picked: readonly { readonly one: AddressOfZone; readonly weight: Fraction }[];
  readonly none: Fraction;
}

export function draw(
  step: Step,
  isOfUse: (one: AddressOfZone) => boolean,
  { lookups, work }: DrawTools,
): Drawn {
  const chances = step.servers.map((server, i) =>
    addressWays(server, lookups).flatMap((way) => usable(i, way, isOfUse)),
  );
  const { first, none } = firstUsable(
    chances.map((ways) => sum(ways.map(({ weight }) => weight))),
    work,
  );
  const picked = chances.flatMap((ways, i) =>
    ways.flatMap(({ all, weight }) => {
      const each = multiply(multiply(first[i] ?? ZERO, weight), share(all.length));
      return each.numerator === 0n ? [] : all.map((one) => ({ one, weight: each }));
    }),
  );
  return { picked, none };
}

/** A way in which a server can be of use. Unknown, not broken: one whose lookup a limit ended is, and ends in that limit. */
function usable(
  server: number,
  way: AddressWay,
  isOfUse: (one: AddressOfZone) => boolean,
): readonly { readonly all: readonly AddressOfZone[]; readonly weight: Fraction }[] {
  const { weight } = way;
  if (way.kind === 'limited') return [{ all: [{ server, address: undefined, limited: way.end }], weight }];
  const all = way.set.map((address) => ({ server, address })).filter(isOfUse);
  return all.length === 0 ? [] : [{ all, weight }];
}
