import { queryKey } from '../exchanged.ts';
import { type Chain, Chains, chainForAlias, chainForLookup } from '../explore/chain.ts';
import { delegationKey, glueFor, type Nameserver } from '../explore/delegation.ts';
import { lookupTypes } from '../explore/lookup-types.ts';
import type { Meaning } from '../explore/meaning.ts';
import { meaningFor } from '../explore/meaning-for.ts';
import { isBlocked, type Recording } from '../explore/recording.ts';
import { isAtOrBelow, type Name } from '../wire/name.ts';
import { type Question, questionKey } from '../wire/question.ts';
import { addressesOf, answersOf } from './addresses-at.ts';
import { absorb, Bits, type Context, emptyFootprint, type Footprint, holdsIn } from './footprint.ts';
import type { Lookup, NoExchange, Onward, Step, StepServer, Visit, Walk } from './step.ts';

/**
 * Unfolds a recording into the steps that paths meet down to `deepest` (MODEL 3), starting with the
 * main walk's first. A pure function of the recording; undefined where that would take more work
 * than `scope.maxWork`. What `deepest` cuts off ends in a limit: depth, or work if it is less deep.
 */
export function unfold(recording: Recording, deepest: number): Walk | undefined {
  const unfolding = new Unfolding(recording, deepest);
  const walk = unfolding.start();
  return unfolding.exceeded ? undefined : walk;
}

interface Variant {
  readonly walk: Walk;
  readonly footprint: Footprint;
  readonly depth: number;
}

/** To look at so many results, whether one may be reused, is as much work as one step. */
const VARIANTS_PER_STEP = 64;

const NOTHING = { pending: 0n, walked: 0n };

class Unfolding {
  readonly #recording: Recording;
  readonly #deepest: number;
  readonly #chains = new Chains();
  readonly #bits = new Bits();
  readonly #known = new Map<Chain, Map<string, Variant[]>>();
  #work = 0;

  constructor(recording: Recording, deepest: number) {
    this.#recording = recording;
    this.#deepest = deepest;
  }

  /** Whether the last run took more work than the scope allows; what it returned is void then. */
  get exceeded(): boolean {
    return this.#work > this.#recording.scope.maxWork;
  }

  start(): Walk {
    const { hints, question } = this.#recording.scope;
    const walked = this.#walkedBit(question.name);
    return this.#step(this.#chains.root(hints), question, { depth: 0, pending: 0n, walked }).walk;
  }

  #step(chain: Chain, question: Question, context: Context): Variant {
    const { depth } = context;
    if (depth > this.#deepest || this.exceeded) return this.#cut(chain, question, depth);
    const variants = this.#variants(chain, question);
    const found = variants.findIndex((variant) =>
      holdsIn(variant.footprint, variant.depth, context, this.#deepest),
    );
    const known = variants[found];
    this.#work += (known === undefined ? variants.length : found + 1) / VARIANTS_PER_STEP;
    if (known !== undefined) return known;
    this.#work += 1;
    const footprint = emptyFootprint();
    const step = this.#open(chain, question, context, footprint);
    const unfolded: Variant = { walk: { kind: 'step', step }, footprint, depth };
    variants.push(unfolded);
    return unfolded;
  }

  #variants(chain: Chain, question: Question): Variant[] {
    let steps = this.#known.get(chain);
    if (steps === undefined) {
      steps = new Map();
      this.#known.set(chain, steps);
    }
    const key = questionKey(question);
    let variants = steps.get(key);
    if (variants === undefined) {
      variants = [];
      steps.set(key, variants);
    }
    return variants;
  }

  #cut(chain: Chain, question: Question, depth: number): Variant {
    const { maxDepth, maxWork } = this.#recording.scope;
    const limit =
      this.#deepest === maxDepth
        ? ({ kind: 'depth-limit', limit: maxDepth } as const)
        : ({ kind: 'work-limit', limit: maxWork } as const);
    const end = { ...limit, question, zone: chain.delegation.zone, server: null };
    return { walk: { kind: 'cut', end }, footprint: { ...emptyFootprint(), reach: 'cut-by-depth' }, depth };
  }

  #open(chain: Chain, question: Question, context: Context, footprint: Footprint): Step {
    const { delegation } = chain;
    const servers = delegation.nameservers.map((server) =>
      this.#server(chain, question, server, context, footprint),
    );
    const visits = new Map<string, Visit>();
    const answers = new Set<string>();
    for (const address of servers.flatMap(addressesOf)) {
      if (visits.has(address)) continue;
      const visit = this.#visit(chain, question, address, context, footprint);
      visits.set(address, visit);
      for (const answer of answersOf(visit)) answers.add(answer);
    }
    return { question, delegation, servers, visits, answers };
  }

  /** MODEL 3.2: where the addresses of one name server come from. */
  #server(
    chain: Chain,
    question: Question,
    server: Nameserver,
    context: Context,
    footprint: Footprint,
  ): StepServer {
    const { name } = server;
    const { zone } = chain.delegation;
    const glue = glueFor(server, this.#recording.scope.families);
    if (glue.length > 0) return { kind: 'glue', name, addresses: glue };
    const at = { question, zone, server: null, nameserver: name };
    const start = chainForLookup(chain, name);
    if (start === undefined) return { kind: 'not-looked-up', name, end: { kind: 'no-glue', ...at } };
    const inDomain = isAtOrBelow(name, zone);
    const sibling = inDomain ? this.#bits.of(`in-domain lookup for ${delegationKey(chain.delegation)}`) : 0n;
    const same = this.#bits.of(`lookup of ${name}`);
    if ((context.pending & sibling) !== 0n) {
      footprint.pendingSet |= sibling;
      return { kind: 'not-looked-up', name, end: { kind: 'no-glue', ...at } };
    }
    footprint.pendingClear |= sibling;
    if ((context.pending & same) !== 0n) {
      footprint.pendingSet |= same;
      return { kind: 'not-looked-up', name, end: { kind: 'loop', ...at } };
    }
    footprint.pendingClear |= same;
    const lookups = this.#lookUp(start, name, sibling | same, context, footprint);
    return { kind: 'lookup', name, lookups, inDomain };
  }

  #lookUp(start: Chain, name: Name, pending: bigint, context: Context, footprint: Footprint): Lookup[] {
    const within = {
      depth: context.depth + 1,
      pending: context.pending | pending,
      walked: this.#walkedBit(name),
    };
    return lookupTypes(this.#recording.scope.families).map(({ family, type }) => {
      const { walk, footprint: below } = this.#step(start, { name, type }, within);
      // A lookup is a walk of its own: what it asked says nothing about the names of this one.
      absorb(footprint, { ...below, walkedClear: 0n, walkedSet: 0n }, { pending, walked: 0n });
      return { family, walk };
    });
  }

  #visit(chain: Chain, question: Question, address: string, context: Context, footprint: Footprint): Visit {
    const { scope, exchanges, unasked } = this.#recording;
    if (isBlocked(scope, address)) return { kind: 'not-asked', why: { kind: 'blocked' } };
    const key = queryKey({ address, question });
    // What a query limit left out may have been asked all the same, before that was known.
    const why: NoExchange | undefined = unasked.get(key)?.why;
    if (why !== undefined) return { kind: 'not-asked', why };
    const exchanged = exchanges.get(key);
    if (exchanged === undefined)
      return { kind: 'not-asked', why: { kind: 'work-limit', limit: scope.maxWork } };
    const meaning = meaningFor(exchanged, chain.delegation.zone);
    return {
      kind: 'asked',
      exchanged,
      meaning,
      onward: this.#onward(chain, question, meaning, context, footprint),
    };
  }

  /** MODEL 3.4. */
  #onward(
    chain: Chain,
    question: Question,
    meaning: Meaning,
    context: Context,
    footprint: Footprint,
  ): Onward {
    const depth = context.depth + 1;
    if (meaning.kind === 'referral') {
      const next = this.#step(this.#chains.extend(chain, meaning.delegation), question, {
        ...context,
        depth,
      });
      absorb(footprint, next.footprint, NOTHING);
      return { kind: 'walk', walk: next.walk };
    }
    if (meaning.kind !== 'alias') return { kind: 'end' };
    const { target } = meaning;
    const bit = this.#walkedBit(target);
    if ((context.walked & bit) !== 0n) {
      footprint.walkedSet |= bit;
      return { kind: 'alias-loop', target };
    }
    footprint.walkedClear |= bit;
    const from = chainForAlias(chain, target, question.type);
    const walked = context.walked | bit;
    const next = this.#step(from, { name: target, type: question.type }, { ...context, depth, walked });
    absorb(footprint, next.footprint, { pending: 0n, walked: bit });
    return { kind: 'walk', walk: next.walk };
  }

  #walkedBit(name: Name): bigint {
    return this.#bits.of(`walked ${name}`);
  }
}
