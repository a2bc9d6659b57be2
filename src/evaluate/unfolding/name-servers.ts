import type { StepRole } from '../../explore/warm.ts';
import type { Pausable } from '../../pausable.ts';
import { gatheringAnswers, type Spending } from '../answers-below.ts';
import type { Lookup, StepServer, Visit } from '../step.ts';
import type { AddressSource, LookupSource } from './address-sources.ts';
import { absorb } from './footprint.ts';
import type { Landscape } from './landscape.ts';
import { isPending, type Opening } from './opening.ts';
import type { Stepping } from './stepping.ts';

/** How many addresses that lookups come to are as much work as one step. */
const ANSWERED_PER_STEP = 64;

const COLD: StepRole = { kind: 'cold' };

/** Says where paths that come to a step have the addresses of its name servers from: svc-model(7), WALKING A STEP 2. */
export class NameServers {
  readonly #landscape: Landscape;
  readonly #stepping: Stepping;

  constructor(landscape: Landscape, stepping: Stepping) {
    this.#landscape = landscape;
    this.#stepping = stepping;
  }

  /** One name server; `visits` are what each of its addresses leads to, once that is known. */
  *server(opening: Opening, source: AddressSource, visits: ReadonlyMap<string, Visit>): Pausable<StepServer> {
    const { name } = source;
    if (source.kind === 'glue') return { kind: 'glue', name, visits, addresses: source.addresses };
    const notLookedUp = (kind: 'no-glue' | 'loop'): StepServer => {
      const ends = this.#landscape.ends.at(opening.chain.delegation, opening.question);
      return { kind: 'not-looked-up', name, visits, end: ends.notLookedUp(name, kind) };
    };
    if (source.kind === 'none' || isPending(source.siblings, opening)) return notLookedUp('no-glue');
    if (isPending(source.same, opening)) return notLookedUp('loop');
    const lookups = yield* this.#lookUp(opening, source);
    const { selection } = this.#landscape.main.world;
    return { kind: 'lookup', name, visits, lookups, selection, where: source.where };
  }

  *#lookUp(
    { context, footprint }: Opening,
    { start, cut, questions, same, siblings, walked }: LookupSource,
  ): Pausable<readonly Lookup[]> {
    const pending = same | siblings;
    const within = { depth: context.depth + 1, pending: context.pending | pending, walked };
    footprint.cuts |= cut;
    const lookups: Lookup[] = [];
    for (const { family, question } of questions) {
      const { walk, footprint: below } = yield* this.#stepping.step(start, question, COLD, within);
      // A lookup is a walk of its own: what it asked says nothing about the names of this one.
      absorb(footprint, { ...below, walkedClear: 0n, walkedSet: 0n }, { levels: 1, pending, walked: 0n });
      if (walk.kind === 'step') yield* gatheringAnswers(walk.step, this.#gathered);
      lookups.push({ family, walk });
    }
    return lookups;
  }

  readonly #gathered: Spending = (addresses) => {
    const isTime = this.#stepping.spend(addresses / ANSWERED_PER_STEP);
    if (this.#stepping.isTooMuch) return 'stop';
    return isTime ? 'pause' : 'go-on';
  };
}
