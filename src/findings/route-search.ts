import { getOrMake } from '../base/memo.ts';
import type { Name } from '../dns/name.ts';
import { answersBelow } from '../evaluate/addresses-to-pick.ts';
import type { Step, StepServer, Visit, Walk } from '../evaluate/step.ts';
import { addressIn } from '../explore/addresses.ts';
import type { Meaning } from '../explore/meaning.ts';

/**
 * Finds whether a resolver can reach an end of certain kinds at all, and how. It can if at each step there
 * is a server, an address of it that glue or a lookup gives, and an exchange there that leads on. This
 * needs no probabilities: the search ends at the first way found.
 */
export class RouteSearch {
  readonly #goals: ReadonlySet<Meaning['kind']>;
  readonly #without: Component | undefined;
  readonly #zones: ReadonlySet<Name> | undefined;
  readonly #known = new Map<Step, Map<string, Route | 'none'>>();

  /** `zones`: those for which the part is left out; absent: all. */
  constructor(goals: ReadonlySet<Meaning['kind']>, without?: Component, zones?: ReadonlySet<Name>) {
    this.#goals = goals;
    this.#without = without;
    this.#zones = zones;
  }

  /** The parts of the first way found from a step; undefined if there is none. */
  route(start: Step): readonly Component[] | undefined {
    const parts = new Map<string, Component>();
    const pending: Need[] = [{ step: start, wanted: GOAL }];
    const seen = new Set<Route>();
    for (const { step, wanted } of pending) {
      const route = this.#route(step, wanted);
      if (route === 'none') return undefined;
      if (seen.has(route)) continue;
      seen.add(route);
      for (const part of componentsOf(step, route)) getOrMake(parts, componentKey(part), () => part);
      pending.push(...route.needs);
    }
    return [...parts.values()];
  }

  /** How a walk from the step gets what is wanted. The steps below a walk are acyclic. */
  #route(step: Step, wanted: Wanted): Route | 'none' {
    const routes = getOrMake(this.#known, step, () => new Map<Wanted, Route | 'none'>());
    return getOrMake(routes, wanted, () => this.#find(step, wanted));
  }

  #find(step: Step, wanted: Wanted): Route | 'none' {
    if (wanted !== GOAL && !answersBelow(step).has(wanted)) return 'none';
    const { zone } = step.delegation;
    if (this.#isWithout('zone', zone, zone)) return 'none';
    for (const server of step.servers) {
      if (this.#isWithout('server', server.name, zone)) continue;
      for (const { address, needs } of this.#addresses(server)) {
        const onward = this.#through(step.visits.get(address), wanted);
        if (
          onward !== 'none' &&
          !this.#isWithout('address', address, zone) &&
          needs.every((need) => this.#has(need))
        )
          return { server: server.name, address, needs: [...needs, ...onward] };
      }
    }
    return 'none';
  }

  /** The addresses that a server may have, and what each of them needs. */
  #addresses(server: StepServer): readonly Candidate[] {
    switch (server.kind) {
      case 'glue':
        return server.addresses.map((address) => ({ address, needs: [] }));
      case 'lookup':
        return server.lookups.flatMap(({ walk }) => candidates(walk));
      case 'not-looked-up':
        return [];
    }
  }

  /** What else it takes to get from an exchange to what is wanted. */
  #through(visit: Visit | undefined, wanted: Wanted): readonly Need[] | 'none' {
    if (visit?.kind !== 'asked') return 'none';
    const { meaning, onward } = visit;
    if (wanted === GOAL ? this.#goals.has(meaning.kind) : brings(meaning, wanted)) return [];
    if (onward.kind !== 'walk' || onward.walk.kind !== 'step') return 'none';
    const need = { step: onward.walk.step, wanted };
    return this.#has(need) ? [need] : 'none';
  }

  #has({ step, wanted }: Need): boolean {
    return this.#route(step, wanted) !== 'none';
  }

  #isWithout(kind: Component['kind'], text: string, zone: Name): boolean {
    const isIt = this.#without?.kind === kind && this.#without.text === text;
    return isIt && this.#zones?.has(zone) !== false;
  }
}

/** What can be left out: an address, a server's name, or a whole zone. */
export interface Component {
  readonly kind: 'address' | 'server' | 'zone';
  readonly text: string;
  /** The zone for which it is needed. */
  readonly zone: Name;
}

/** The text that is equal only for the same part. */
export function componentKey({ kind, text }: Component): string {
  return `${kind} ${text}`;
}

/** What a walk has to get: a goal, or an address (whose text is never "goal"). */
type Wanted = string;
const GOAL = 'goal';

/** A walk that has to get something. */
interface Need {
  readonly step: Step;
  readonly wanted: Wanted;
}

/** A pick at a step, and what other walks have to get for it. */
interface Route {
  readonly server: Name;
  readonly address: string;
  readonly needs: readonly Need[];
}

type Candidate = Pick<Route, 'address' | 'needs'>;

function candidates(walk: Walk): readonly Candidate[] {
  if (walk.kind === 'cut') return [];
  const { step } = walk;
  return [...answersBelow(step)].map((address) => ({ address, needs: [{ step, wanted: address }] }));
}

function brings(meaning: Meaning, address: string): boolean {
  return meaning.kind === 'answer' && meaning.records.some((record) => addressIn(record) === address);
}

function componentsOf({ delegation: { zone } }: Step, { server, address }: Route): readonly Component[] {
  return [
    { kind: 'zone', text: zone, zone },
    { kind: 'server', text: server, zone },
    { kind: 'address', text: address, zone },
  ];
}
