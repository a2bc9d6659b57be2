import type { Work } from '../../base/work.ts';
import type { End } from '../end.ts';
import { type Fraction, multiply, share, sum, ZERO } from '../fraction.ts';
import { type ResolverView, type UsableChance, usableChances } from '../resolver-view.ts';
import type { AddressOutcomes, Step, StepServer, TimedOutcome } from '../step.ts';
import { firstUsable } from '../views/first-usable.ts';
import type { StepWait } from './paths-at-step.ts';

/** Draws the first server of a step, in random order, whose outcome is taken: svc-model(7), RESOLVER VIEW. */
export function drawServers<Good>(
  step: Step,
  heard: AddressOutcomes<Good>,
  draws: Draws,
): DrawnServers<Good> {
  const { onBogus, lookups, work } = draws;
  const chances = step.servers.map((server) =>
    usableChances(
      server,
      (address) => endsSearch(outcomeAt(step, server, address, heard), onBogus),
      lookups.distribution,
    ),
  );
  const usable = chances.map((ways) => sum(ways.map(({ weight }) => weight)));
  const { first, none } = firstUsable(usable, work);
  const drawing = new ServerDraw(step, heard, none);
  step.servers.forEach((server, i) => {
    for (const way of chances[i] ?? []) drawing.take(server, way, first[i] ?? ZERO);
  });
  return drawing;
}

/** What a resolver comes to that asks servers one after another until it has something to take. The weights sum to 1. */
export interface DrawnServers<Good> {
  readonly heard: AddressOutcomes<Good>;
  readonly goods: readonly (StepWait & PickedAddress & { readonly good: Good })[];
  /** What was taken and does not verify. */
  readonly failed: readonly (StepWait & { readonly failure: End })[];
  /** What was taken and waits for something, by its key. */
  readonly stopped: readonly (StepWait & { readonly by: string })[];
  /** The limits that were come to. */
  readonly ends: readonly (StepWait & { readonly end: End })[];
  /** There was nothing to take. */
  readonly none: Fraction;
}

interface PickedAddress {
  readonly server: StepServer;
  readonly address: string;
}

interface AddressAtStep extends PickedAddress {
  /** All that came along, or that the lookups of the server gave. */
  readonly set: readonly string[];
}

/** How servers are drawn. */
interface Draws {
  readonly onBogus: BogusPolicy;
  readonly lookups: ResolverView;
  readonly work: Work;
}

/** What an address of a server brings. */
export function outcomeAt<Good>(
  step: Step,
  server: StepServer,
  address: string,
  { up, down }: AddressOutcomes<Good>,
): TimedOutcome<Good> {
  const outcome = (server.visits === step.visits ? up : down).get(address);
  if (outcome === undefined) throw new Error(`nothing is known of ${address}`);
  return outcome;
}

class ServerDraw<Good> implements DrawnServers<Good> {
  readonly #step: Step;
  readonly heard: AddressOutcomes<Good>;
  readonly none: Fraction;
  readonly goods: DrawnServers<Good>['goods'][number][] = [];
  readonly failed: DrawnServers<Good>['failed'][number][] = [];
  readonly stopped: DrawnServers<Good>['stopped'][number][] = [];
  readonly ends: DrawnServers<Good>['ends'][number][] = [];

  constructor(step: Step, heard: AddressOutcomes<Good>, none: Fraction) {
    this.#step = step;
    this.heard = heard;
    this.none = none;
  }

  /** Adds what comes of a server that is usable in this way, given that it is the `first` usable one. */
  take(server: StepServer, way: UsableChance, first: Fraction): void {
    const weight = multiply(first, way.weight);
    if (weight.numerator === 0n) return;
    if (way.kind === 'limited') {
      this.limit(server, way.end, weight);
      return;
    }
    const each = multiply(weight, share(way.addresses.length));
    for (const address of way.addresses) this.takeFrom({ server, address, set: way.set }, each);
  }

  /** Adds what comes of a server whose lookup a limit ended. */
  limit(server: StepServer, end: End, weight: Fraction): void {
    this.ends.push({ end, weight, heard: this.heard, pick: { server } });
  }

  /** Adds what comes of an address that is the first usable one. */
  takeFrom({ server, address, set }: AddressAtStep, weight: Fraction): void {
    const outcome = outcomeAt(this.#step, server, address, this.heard);
    const picked = { weight, heard: this.heard, pick: { server, at: { address, set } } };
    switch (outcome.kind) {
      case 'good':
        this.goods.push({ ...picked, server, address, good: outcome.good });
        return;
      case 'bogus':
      case 'unused':
        this.failed.push({ ...picked, failure: outcome.failure });
        return;
      case 'stopped':
        this.stopped.push({ ...picked, by: outcome.by });
        return;
      case 'limited':
        this.ends.push({ ...picked, end: outcome.end(server) });
        return;
    }
  }
}

/**
 * How a resolver that demands proof goes on from a reply that it could use but that does not verify: to another server,
 * or to an error. svc-model(7), VALIDATING.
 */
export type BogusPolicy = 'tries-on' | 'first-try';

/** Whether a resolver asks no further server once it has this. */
export function endsSearch<Good>(outcome: TimedOutcome<Good>, onBogus: BogusPolicy): boolean {
  switch (outcome.kind) {
    case 'good':
    // Unknown, not broken.
    case 'limited':
    case 'stopped':
      return true;
    case 'bogus':
      return onBogus === 'first-try';
    case 'unused':
      return false;
  }
}
