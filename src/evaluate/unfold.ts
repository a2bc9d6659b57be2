import { type Exchanged, queryKey } from '../exchanged.ts';
import { type Chain, Chains, chainForAlias, chainForLookup, enclosing } from '../explore/chain.ts';
import { type Delegation, glueFor, type Nameserver, withTrust } from '../explore/delegation.ts';
import { lookupTypes } from '../explore/lookup-types.ts';
import { leadsOn, type Meaning } from '../explore/meaning.ts';
import { meaningFor } from '../explore/meaning-for.ts';
import { ownSet } from '../explore/own-set.ts';
import { oncePlanned, plannedFor } from '../explore/planned.ts';
import { isBlocked, type Recording } from '../explore/recording.ts';
import { arrivalAt, roleOf, type StepRole } from '../explore/warm.ts';
import { Work } from '../explore/work.ts';
import { type Pausable, Pauses } from '../pausable.ts';
import type { Trust } from '../validate/trust.ts';
import { isAtOrBelow, type Name } from '../wire/name.ts';
import type { Question } from '../wire/question.ts';
import { addressesOf } from './addresses-at.ts';
import { answerWork } from './answer-length.ts';
import { gatheringAnswers, type Spending } from './answers-below.ts';
import { Cuts } from './cuts.ts';
import { DistinctEnds } from './distinct-ends.ts';
import type { EvaluatedWorld, MainWalk } from './evaluated-world.ts';
import { whereIs } from './failed-lookup.ts';
import { absorb, Bits, type Context, emptyFootprint } from './footprint.ts';
import { isPending, type Opening, wasWalked } from './opening.ts';
import type { JudgedStep, Lookup, Onward, Step, StepServer, Visit, Walk } from './step.ts';
import type { AskedThere, ServerState } from './validating/judged-opening.ts';
import { judgedStep, type Picks } from './validating/judged-step.ts';
import { type Variant, Variants } from './variants.ts';

/**
 * Unfolds a recording into the steps that paths meet down to `deepest`, starting with the main walk's
 * first: svc-model(7), WALKING A STEP. A pure function of the recording and the world that it is taken for;
 * undefined where that would take more than `mostWork`. What `deepest` cuts off ends in a limit: depth, or work if it is less deep
 * than the scope allows.
 */
export function* unfold(main: MainWalk, deepest: number, mostWork: number): Pausable<Walk | undefined> {
  const work = new Work(mostWork);
  const walk = yield* new Unfolding(main, deepest, work).start(main);
  return work.exceeded ? undefined : walk;
}

/**
 * How many variants that are not the one to reuse count as much as unfolding one step. To pass them over is less work than
 * that; but rings that make so many make results too large to be of use.
 */
const VARIANTS_PER_STEP = 64;

/** The same for addresses that lookups come to. */
const ANSWERED_PER_STEP = 64;

const ONE_DEEPER = { levels: 1, pending: 0n, walked: 0n } as const;
const AS_DEEP = { levels: 0, pending: 0n, walked: 0n } as const;

/** How replies to one step's question are read where a delegation is planned. */
interface PlannedReading {
  readonly planned: Delegation | undefined;
  readonly meanings: readonly Meaning[];
}

const COLD: StepRole = { kind: 'cold' };
const WARM: StepRole = { kind: 'warm' };

class Unfolding {
  readonly #recording: Recording;
  readonly #world: EvaluatedWorld;
  readonly #deepest: number;
  readonly #chains = new Chains();
  readonly #bits = new Bits();
  readonly #cuts = new Cuts();
  readonly #variants = new Variants();
  readonly #ends = new DistinctEnds();
  readonly #pauses = new Pauses();
  readonly #work: Work;

  /** Once it took more work than there may be, what it returns is void. */
  constructor({ recording, world }: MainWalk, deepest: number, work: Work) {
    this.#recording = recording;
    this.#world = world;
    this.#deepest = deepest;
    this.#work = work;
  }

  *start({ kind }: MainWalk): Pausable<Walk> {
    const { hints, question, dnssec } = this.#recording.scope;
    const walked = this.#bits.walked(question.name);
    const context = { depth: 0, pending: 0n, walked };
    const root = kind === 'validating' && dnssec !== undefined ? withTrust(hints, dnssec.anchors) : hints;
    const { walk } = yield* this.#arrive(this.#chains.root(root), question, roleOf(kind), context);
    return walk;
  }

  /** A walk comes to the last delegation of the chain. */
  *#arrive(chain: Chain, ahead: Question, before: StepRole, context: Context): Pausable<Variant> {
    const { question, role } = arrivalAt(chain.delegation.zone, ahead, before);
    return yield* this.#step(chain, question, role, context);
  }

  *#step(chain: Chain, question: Question, role: StepRole, context: Context): Pausable<Variant> {
    const { depth } = context;
    if (depth > this.#deepest || this.#work.exceeded) {
      return this.#cut(chain, role.kind === 'apex' ? role.ahead : question, depth);
    }
    const variants = this.#variants.at(chain, question, role);
    const { known, upToIt } = variants.holdingIn(
      { chain, context },
      { deepest: this.#deepest, cuts: this.#cuts },
    );
    if (this.#spend(upToIt / VARIANTS_PER_STEP)) yield;
    if (known !== undefined) return known;
    if (this.#spend(1)) yield;
    const footprint = emptyFootprint();
    const step = yield* this.#open({ chain, question, role, context, footprint });
    footprint.cuts = this.#cuts.elsewhere(footprint.cuts, chain.delegation);
    const variant: Variant = { walk: { kind: 'step', step }, footprint, chain, depth };
    variants.add(variant);
    return variant;
  }

  /** Whether it is time to pause. */
  #spend(steps: number): boolean {
    this.#work.spend(steps);
    return this.#pauses.due(steps);
  }

  readonly #gathered: Spending = (addresses) => {
    const isTime = this.#spend(addresses / ANSWERED_PER_STEP);
    if (this.#work.exceeded) return 'stop';
    return isTime ? 'pause' : 'go-on';
  };

  #cut(chain: Chain, question: Question, depth: number): Variant {
    const { maxDepth, maxWork } = this.#recording.scope;
    const limit =
      this.#deepest === maxDepth
        ? ({ kind: 'depth-limit', limit: maxDepth } as const)
        : ({ kind: 'work-limit', limit: maxWork } as const);
    const end = this.#ends.like({ ...limit, question, zone: chain.delegation.zone, server: null });
    return {
      walk: { kind: 'cut', end },
      footprint: { ...emptyFootprint(), reach: 'cut-by-depth' },
      chain,
      depth,
    };
  }

  *#open(opening: Opening): Pausable<Step> {
    const { chain, question } = opening;
    // Chains keep the delegations as they were recorded, because own sets have glue from these.
    const delegation = this.#world.delegation(chain.delegation);
    const visits = new Map<string, Visit>();
    const whenDown = new Map<string, Visit>();
    const servers: StepServer[] = [];
    for (const server of delegation.nameservers) {
      const own = this.#world.isDown(server.name) ? whenDown : visits;
      servers.push(yield* this.#server(opening, server, own));
    }
    if (this.#spend(servers.length)) yield;
    const picksOf = (reached: ReadonlyMap<string, Visit>) =>
      servers.filter((server) => server.visits === reached).flatMap(addressesOf);
    if (opening.role.kind === 'validating') {
      const picks = { up: new Set(picksOf(visits)), down: new Set(picksOf(whenDown)) };
      const judged = yield* this.#judge(opening, delegation, picks);
      return { question, delegation, servers, visits, ends: this.#ends.at(delegation, question), judged };
    }
    for (const state of ['up', 'down'] as const) {
      const reached = state === 'up' ? visits : whenDown;
      yield* this.#visitAll(opening, picksOf(reached), state, reached);
    }
    const otherwise = yield* this.#otherwise(opening);
    const ends = this.#ends.at(delegation, question);
    return { question, delegation, servers, visits, ends, ...(otherwise && { otherwise }) };
  }

  /** What replies come to for a resolver that demands proof. */
  *#judge(opening: Opening, delegation: Delegation, picks: Picks): Pausable<JudgedStep> {
    const { chain } = opening;
    const { zone } = chain.delegation;
    const validation = this.#recording.scope.dnssec?.validation;
    if (validation === undefined) throw new Error('nothing was asked for proof');
    const readings = {
      up: this.#plannedAt(opening, [...picks.up], 'up'),
      down: this.#plannedAt(opening, [...picks.down], 'down'),
    };
    return yield* judgedStep(opening, delegation, {
      validation,
      picks,
      ends: this.#ends,
      asked: (address, question, state) => this.#askedAt(address, question, state),
      meant: (exchanged, state) => {
        const { planned, meanings } = readings[state];
        return oncePlanned(planned, meaningFor(exchanged, zone), meanings);
      },
      onward: (proven, meaning, trust) => this.#onward(proven, meaning, trust),
      spend: (steps) => this.#spending(steps),
      isTooMuch: () => this.#work.exceeded,
    });
  }

  *#spending(steps: number): Pausable<void> {
    if (this.#spend(steps)) yield;
  }

  *#visitAll(
    opening: Opening,
    picks: readonly string[],
    state: ServerState,
    visits: Map<string, Visit>,
  ): Pausable<void> {
    if (this.#spend(picks.length)) yield;
    const reading = { state, ...this.#plannedAt(opening, picks, state) };
    for (const address of picks) {
      if (this.#work.exceeded) break;
      const visit = visits.get(address) ?? (yield* this.#visit(opening, address, reading));
      if (this.#spend(answerWork(visit))) yield;
      if (visits.has(address)) continue;
      visits.set(address, visit);
    }
  }

  /** The planned delegation that replies here give way to, if there is one, and what all of them mean. */
  #plannedAt({ chain, question }: Opening, picks: readonly string[], state: ServerState): PlannedReading {
    const { scope, exchanges } = this.#recording;
    const { zone } = chain.delegation;
    const planned = plannedFor(scope.planned ?? [], zone, question);
    if (planned === undefined) return { planned, meanings: [] };
    const heard = picks.flatMap((address) => exchanges.get(queryKey({ address, question })) ?? []);
    return { planned, meanings: heard.map((one) => meaningFor(this.#world.exchanged(one, state), zone)) };
  }

  /** After an apex question that brings no own set, the delegation stands. */
  *#otherwise({ chain, role, context, footprint }: Opening): Pausable<Walk | undefined> {
    if (role.kind !== 'apex') return undefined;
    const next = yield* this.#step(chain, role.ahead, WARM, context);
    absorb(footprint, next.footprint, AS_DEEP);
    return next.walk;
  }

  /** svc-model(7), WALKING A STEP 2: where the addresses of one name server come from. */
  *#server(opening: Opening, server: Nameserver, visits: ReadonlyMap<string, Visit>): Pausable<StepServer> {
    const { chain, question } = opening;
    const { name } = server;
    const glue = glueFor(server, this.#recording.scope.families);
    if (glue.length > 0) return { kind: 'glue', name, visits, addresses: glue };
    const at = { question, zone: chain.delegation.zone, server: null, nameserver: name };
    const notLookedUp = (kind: 'no-glue' | 'loop'): StepServer => {
      return { kind: 'not-looked-up', name, visits, end: this.#ends.like({ kind, ...at }) };
    };
    const start = chainForLookup(chain, name);
    if (start === undefined) return notLookedUp('no-glue');
    const where = whereIs(name, chain.delegation.zone);
    const sibling =
      where === 'in-domain' ? this.#bits.inDomainLookup(this.#world.delegation(chain.delegation)) : 0n;
    const same = this.#bits.lookup(name);
    if (isPending(sibling, opening)) {
      return notLookedUp('no-glue');
    }
    if (isPending(same, opening)) return notLookedUp('loop');
    const lookups = yield* this.#lookUp(opening, start, name, sibling | same);
    const { selection } = this.#world;
    return { kind: 'lookup', name, visits, lookups, selection, where };
  }

  *#lookUp(
    { chain, context, footprint }: Opening,
    start: Chain,
    name: Name,
    pending: bigint,
  ): Pausable<readonly Lookup[]> {
    const within = {
      depth: context.depth + 1,
      pending: context.pending | pending,
      walked: this.#bits.walked(name),
    };
    footprint.cuts |= this.#cuts.made(chain, name, isAtOrBelow, start);
    const lookups: Lookup[] = [];
    for (const { family, type } of lookupTypes(this.#recording.scope.families)) {
      const { walk, footprint: below } = yield* this.#step(start, { name, type }, COLD, within);
      // A lookup is a walk of its own: what it asked says nothing about the names of this one.
      absorb(footprint, { ...below, walkedClear: 0n, walkedSet: 0n }, { levels: 1, pending, walked: 0n });
      if (walk.kind === 'step') yield* gatheringAnswers(walk.step, this.#gathered);
      lookups.push({ family, walk });
    }
    return lookups;
  }

  *#visit(
    opening: Opening,
    address: string,
    { state, planned, meanings }: PlannedReading & { readonly state: ServerState },
  ): Pausable<Visit> {
    const { question, chain } = opening;
    const asked = this.#askedAt(address, question, state);
    if (asked.kind === 'not-asked') return asked;
    const { exchanged } = asked;
    const meaning = oncePlanned(planned, meaningFor(exchanged, chain.delegation.zone), meanings);
    const { role } = opening;
    const onward =
      role.kind === 'apex' ? this.#afterApex(opening, exchanged, role.ahead) : this.#onward(opening, meaning);
    return { kind: 'asked', exchanged, meaning, onward: yield* onward };
  }

  #askedAt(address: string, question: Question, state: ServerState): AskedThere {
    const { scope, exchanges, unasked } = this.#recording;
    if (isBlocked(scope, address)) return { kind: 'not-asked', why: { kind: 'blocked' } };
    const key = queryKey({ address, question });
    // What a limit left out may have been asked all the same, before that was known.
    const why = unasked.get(key)?.why;
    if (why !== undefined) return { kind: 'not-asked', why };
    const recorded = exchanges.get(key);
    if (recorded === undefined) return { kind: 'not-asked', why: this.#world.lacking(scope) };
    return { kind: 'asked', exchanged: this.#world.exchanged(recorded, state) };
  }

  *#afterApex(opening: Opening, exchanged: Exchanged, ahead: Question): Pausable<Onward> {
    const { chain, context, footprint } = opening;
    const own = ownSet(exchanged, chain.delegation);
    const at = own === undefined ? chain : this.#chains.replaceLast(chain, own);
    const next = yield* this.#step(at, ahead, WARM, context);
    absorb(footprint, next.footprint, AS_DEEP);
    return { kind: own === undefined ? 'walk' : 'own-set', walk: next.walk };
  }

  /** svc-model(7), WALKING A STEP 4. */
  *#onward(opening: Opening, meaning: Meaning, trust?: Trust): Pausable<Onward> {
    if (!leadsOn(meaning)) return { kind: 'end' };
    switch (meaning.kind) {
      case 'referral': {
        const { chain, question, role, context, footprint } = opening;
        const delegation = trust === undefined ? meaning.delegation : withTrust(meaning.delegation, trust);
        const deeper = this.#chains.extend(chain, delegation);
        const further = { ...context, depth: context.depth + 1 };
        const next = yield* this.#arrive(deeper, question, role, further);
        absorb(footprint, next.footprint, ONE_DEEPER);
        return { kind: 'walk', walk: next.walk };
      }
      case 'alias':
        return yield* this.#followAlias(opening, meaning.target);
    }
  }

  *#followAlias(opening: Opening, target: Name): Pausable<Onward> {
    const { chain, question, role, context, footprint } = opening;
    const bit = this.#bits.walked(target);
    if (wasWalked(bit, opening)) return { kind: 'alias-loop', target };
    const from = chainForAlias(chain, target, question.type);
    if (from !== chain) footprint.cuts |= this.#cuts.made(chain, target, enclosing(question.type), from);
    const further = { ...context, depth: context.depth + 1, walked: context.walked | bit };
    const next = yield* this.#step(from, { name: target, type: question.type }, role, further);
    absorb(footprint, next.footprint, { ...ONE_DEEPER, walked: bit });
    return { kind: 'walk', walk: next.walk };
  }
}
