import type { Lookup, Place, ServerAt, Visit, Walk } from '../../evaluate/place.ts';
import { addressIn } from '../../explore/addresses.ts';
import type { Name } from '../../wire/name.ts';

/** What is imagined away: a machine's address, a server's name, or a whole zone. */
export interface Part {
  readonly kind: 'address' | 'server' | 'zone';
  readonly text: string;
  /** The zone that a path needed it for when it was found. */
  readonly zone: Name;
}

/** What the search has to know of a traversal. */
export interface Terms {
  /** Whether the visit ends in what a user wants. */
  readonly isGoal: (visit: Visit & { readonly kind: 'heard' }) => boolean;
  /** Whether nothing is known of what this visit would have come to. */
  readonly isOpen: (visit: Visit) => boolean;
  /** Whether a server without an address may have one in a family that was left out. */
  readonly isOpenServer: (place: Place, server: ServerAt) => boolean;
}

/**
 * Whether a resolver gets there at all, and by what: it does with probability above 0 exactly if there
 * is a derivation, that is at each place some server, an address of it that some lookup can bring, and
 * an exchange there that leads on. One pass over the places; no probabilities.
 */
export class Derivation {
  readonly #terms: Terms;
  readonly #without: Part | undefined;
  readonly #known = new Map<Place, ReadonlyMap<string, Step>>();

  constructor(terms: Terms, without?: Part) {
    this.#terms = terms;
    this.#without = without;
  }

  /** The parts that the first derivation found consists of; undefined if there is none. */
  parts(start: Place): readonly Part[] | undefined {
    if (!this.#results(start).has(GOAL)) return undefined;
    const parts = new Map<string, Part>();
    const seen = new Set<Step>();
    const pending: (readonly [Place, string])[] = [[start, GOAL]];
    for (const [place, wanted] of pending) {
      const step = this.#results(place).get(wanted);
      if (step === undefined || seen.has(step)) continue;
      seen.add(step);
      for (const part of partsOf(place, step)) parts.set(partKey(part), part);
      pending.push(...step.needs);
    }
    return [...parts.values()];
  }

  /** What walks from a place can bring: the goal, addresses, or something unknown; each with how. */
  #results(place: Place): ReadonlyMap<string, Step> {
    const known = this.#known.get(place);
    if (known !== undefined) return known;
    const results = new Map<string, Step>();
    if (!this.#isWithout('zone', place.delegation.zone)) {
      for (const server of place.servers) {
        if (!this.#isWithout('server', server.name)) this.#throughServer(place, server, results);
      }
    }
    this.#known.set(place, results);
    return results;
  }

  #throughServer(place: Place, server: ServerAt, results: Map<string, Step>): void {
    if (this.#terms.isOpenServer(place, server)) bringUnknown(results, { server: server.name, needs: [] });
    if (server.kind === 'glue') {
      for (const address of server.addresses) this.#visit(place, server.name, address, [], results);
    } else if (server.kind === 'lookup') {
      for (const lookup of server.lookups) this.#throughLookup(place, server.name, lookup, results);
    }
  }

  #throughLookup(place: Place, server: Name, { walk }: Lookup, results: Map<string, Step>): void {
    if (walk.kind === 'cut') {
      bringUnknown(results, { server, needs: [] });
      return;
    }
    for (const brought of this.#results(walk.place).keys()) {
      const needs = [[walk.place, brought]] as const;
      if (brought === UNKNOWN) bringUnknown(results, { server, needs });
      else if (brought !== GOAL) this.#visit(place, server, brought, needs, results);
    }
  }

  #visit(
    place: Place,
    server: Name,
    address: string,
    needs: Step['needs'],
    results: Map<string, Step>,
  ): void {
    const visit = place.visits.get(address);
    if (visit === undefined || this.#isWithout('address', address)) return;
    const step = { server, address, needs };
    if (this.#terms.isOpen(visit)) bringUnknown(results, step);
    if (visit.kind !== 'heard') return;
    const { response, onward } = visit;
    if (this.#terms.isGoal(visit)) bring(results, GOAL, step);
    if (response.kind === 'answer') {
      for (const record of response.records) {
        const brought = addressIn(record);
        if (brought !== undefined) bring(results, brought, step);
      }
    }
    if (onward.kind === 'walk') this.#goOn(onward.walk, step, results);
  }

  #goOn(walk: Walk, step: Step, results: Map<string, Step>): void {
    if (walk.kind === 'cut') {
      bringUnknown(results, step);
      return;
    }
    for (const brought of this.#results(walk.place).keys()) {
      if (results.has(brought)) continue;
      bring(results, brought, { ...step, needs: [...step.needs, [walk.place, brought]] });
    }
  }

  #isWithout(kind: Part['kind'], text: string): boolean {
    return this.#without?.kind === kind && this.#without.text === text;
  }
}

/** What a walk can bring beside addresses. Neither is the text of one. */
const GOAL = 'goal';
const UNKNOWN = 'unknown';

/** How a place brings something: a pick there, and what others must bring for it. */
interface Step {
  readonly server: Name;
  readonly address?: string;
  readonly needs: readonly (readonly [Place, string])[];
}

function bring(results: Map<string, Step>, brought: string, step: Step): void {
  if (!results.has(brought)) results.set(brought, step);
}

/** The unknown may be anything, the goal as well. */
function bringUnknown(results: Map<string, Step>, step: Step): void {
  bring(results, UNKNOWN, step);
  bring(results, GOAL, step);
}

function partsOf({ delegation: { zone } }: Place, { server, address }: Step): readonly Part[] {
  const parts: Part[] = [
    { kind: 'zone', text: zone, zone },
    { kind: 'server', text: server, zone },
  ];
  return address === undefined ? parts : [...parts, { kind: 'address', text: address, zone }];
}

/** The text that is equal exactly for the same part. */
export function partKey({ kind, text }: Part): string {
  return `${kind} ${text}`;
}
