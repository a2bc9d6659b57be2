import type { StepRole } from '../../explore/warm.ts';
import type { Pausable } from '../../pausable.ts';
import { areGathered, gatherAnswers, type Spending } from '../answers-below.ts';
import type { Lookup, StepEnds, StepServer, Visit } from '../step.ts';
import type { AddressSource, LookupSource } from './address-sources.ts';
import { absorb } from './footprint.ts';
import type { Landscape } from './landscape.ts';
import { isPending, type Opening } from './opening.ts';
import { isKnown, type Stepping } from './stepping.ts';

/** A lookup is a walk of its own: what it asked says nothing about the names of the walk that needs it. */
const EVERY_NAME = -1n;

const COLD: StepRole = { kind: 'cold' };

/** What the servers of a step have in common. */
interface ServerPlace {
  /** What each of their addresses leads to, once that is known. */
  readonly visits: ReadonlyMap<string, Visit>;
  readonly ends: StepEnds;
}

/** Says where paths that come to a step have the addresses of its name servers from: svc-model(7), WALKING A STEP 2. */
export class NameServers {
  readonly #landscape: Landscape;
  readonly #stepping: Stepping;

  constructor(landscape: Landscape, stepping: Stepping) {
    this.#landscape = landscape;
    this.#stepping = stepping;
  }

  /** One name server: at once, unless its addresses have to be looked up. */
  server(opening: Opening, source: AddressSource, where: ServerPlace): StepServer | Pausable<StepServer> {
    const { name } = source;
    const { visits, ends } = where;
    if (source.kind === 'glue') return { kind: 'glue', name, visits, addresses: source.addresses };
    if (source.kind === 'none' || isPending(source.siblings, opening))
      return { kind: 'not-looked-up', name, visits, end: ends.notLookedUp(name, 'no-glue') };
    if (isPending(source.same, opening))
      return { kind: 'not-looked-up', name, visits, end: ends.notLookedUp(name, 'loop') };
    return this.#lookedUp(opening, source, visits);
  }

  *#lookedUp(
    { context, footprint }: Opening,
    { name, start, cut, questions, same, siblings, walked, where }: LookupSource,
    visits: ServerPlace['visits'],
  ): Pausable<StepServer> {
    const pending = same | siblings;
    const within = { depth: context.depth + 1, pending: context.pending | pending, walked };
    footprint.cuts |= cut;
    const lookups: Lookup[] = [];
    for (const { family, question } of questions) {
      const begun = this.#stepping.step({ chain: start, question, role: COLD, context: within });
      const { walk, footprint: below } = isKnown(begun) ? begun : yield* begun;
      absorb(footprint, below, { levels: 1, pending, walked: EVERY_NAME });
      if (walk.kind === 'step' && !areGathered(walk.step)) gatherAnswers(walk.step, this.#gathered);
      lookups.push({ family, walk });
    }
    const { selection } = this.#landscape.main.world;
    return { kind: 'lookup', name, visits, lookups, selection, where };
  }

  readonly #gathered: Spending = (steps) => {
    this.#stepping.spend(steps);
    return this.#stepping.isTooMuch ? 'stop' : 'go-on';
  };
}
