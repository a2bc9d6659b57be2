/* Tries the servers of a step in the order of a resolver that knows nothing of them yet. */

import type { Work } from '../../base/work.ts';
import type { Picks, Share } from '../../explore/profiles/profile.ts';
import type { Distribution } from '../distribution.ts';
import type { End } from '../end.ts';
import type { Fraction } from '../fraction.ts';
import { addressWays } from '../resolver-view.ts';
import type { Step, StepServer, Walk } from '../step.ts';
import { inRandomOrder, oneAfterOther, oneOf, type Tried } from './random-order.ts';

/** What is tried at the servers of a step, and how. */
export interface Trying<T> {
  readonly picks: Picks;
  readonly address: (one: AddressAtStep) => Tried<T>;
  /** A limit ended the lookup of a server: unknown, not broken. */
  readonly limited: (server: StepServer, end: End) => Tried<T>;
  /** Where lookups end. */
  readonly lookups: (walk: Walk) => Distribution;
  readonly work: Work;
}

/** An address of a name server at a step. */
export interface AddressAtStep {
  readonly server: StepServer;
  readonly address: string;
  /** All that came along, or that the lookups of the server gave. */
  readonly set: readonly string[];
}

/** The servers of a step in the order in which a resolver tries them that knows nothing of them yet, until it finds something. */
export function serversInOrder<T>(step: Step, trying: Trying<T>): Tried<T> {
  const { picks, work } = trying;
  if (picks.gluedFirst === 'alike') return inRandomOrder(namesTried(step.servers, trying), work);
  const others = step.servers.filter(({ kind }) => kind !== 'glue');
  return inOrder(picks.gluedFirst, gluedTried(step, trying), namesTried(others, trying), work);
}

/** What is at hand before what must be looked up, but for a share of look-ups that pick any. */
function inOrder<T>(
  { of, in: all }: Share,
  atHand: readonly Tried<T>[],
  lookedUp: readonly Tried<T>[],
  work: Work,
): Tried<T> {
  const usually = oneAfterOther(inRandomOrder(atHand, work), inRandomOrder(lookedUp, work));
  if (atHand.length === 0 || lookedUp.length === 0 || of === all) return usually;
  const weight = (part: number): Fraction => ({ numerator: BigInt(part), denominator: BigInt(all) });
  return oneOf([
    { weight: weight(of), tried: usually },
    { weight: weight(all - of), tried: inRandomOrder([...atHand, ...lookedUp], work) },
  ]);
}

/** Servers whose addresses are at hand. */
function gluedTried<T>(step: Step, trying: Trying<T>): readonly Tried<T>[] {
  switch (trying.picks.by) {
    case 'name':
      return namesTried(
        step.servers.filter(({ kind }) => kind === 'glue'),
        trying,
      );
    case 'address':
      return addressesAtHand(step).map(trying.address);
  }
}

/** A name at a time, and all of its addresses before the next one. */
function namesTried<T>(servers: readonly StepServer[], trying: Trying<T>): readonly Tried<T>[] {
  return servers.map((server) =>
    oneOf(
      addressWays(server, trying.lookups).map((way) => {
        if (way.kind === 'limited') return { weight: way.weight, tried: trying.limited(server, way.end) };
        const { set } = way;
        const addresses = set.map((address) => trying.address({ server, address, set }));
        return { weight: way.weight, tried: inRandomOrder(addresses, trying.work) };
      }),
    ),
  );
}

/** Each address that came along once, under the first name that has it; under one that is up, if there is any. */
function addressesAtHand({ servers, visits }: Step): readonly AddressAtStep[] {
  const pool = new Map<string, AddressAtStep>();
  const upFirst = [...servers].sort((a, b) => Number(b.visits === visits) - Number(a.visits === visits));
  for (const server of upFirst) {
    if (server.kind !== 'glue') continue;
    const { addresses: set } = server;
    for (const address of set) if (!pool.has(address)) pool.set(address, { server, address, set });
  }
  return [...pool.values()];
}
