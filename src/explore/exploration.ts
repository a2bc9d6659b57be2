import { type Exchanged, type Query, queryKey } from '../exchanged.ts';
import { getOrMake } from '../get-or-make.ts';
import type { Name } from '../wire/name.ts';
import { addressesIn } from './addresses.ts';
import { type Chain, Chains, chainForAlias, chainForLookup } from './chain.ts';
import { glueFor } from './delegation.ts';
import type { ExploredStep, ExploredVisit } from './explored-step.ts';
import { ExploredSteps } from './explored-steps.ts';
import { lookupTypes } from './lookup-types.ts';
import { leadsOn } from './meaning.ts';
import { meaningFor } from './meaning-for.ts';
import { DENY_NOTHING, type Policy } from './policy.ts';
import { isBlocked, type Scope } from './recording.ts';
import { ServerNameIndex, type ServerNames } from './server-names.ts';
import { ADDRESSES_PER_STEP, Work } from './work.ts';

/** How often an address that an answer gives is handed on for as much work as one step makes. */
const ANSWERS_PER_STEP = 64;

/** A question that a path needs asked, and the zone of the step that needed it first. */
export interface WantedQuery extends Query {
  readonly key: string;
  readonly zone: Name;
}

/**
 * Which questions must be asked, given what was heard so far: the core of exploring, without I/O.
 *
 * It follows all paths at once over distinct explored steps: a step together with the names that its
 * walk asked before, as they decide what is an alias loop. Depth is exact without multiplying steps:
 * each step knows the least depth at which a path reaches it, and each address the least height
 * (levels below its step) at which a path learns it; an exchange is wanted as soon as depth + height
 * is within the maximum. Both can only fall, so news is passed on until nothing changes. Pending
 * lookups are not looked at: svc-model(7), THE IDEA allows asking what only they would hide. Once it
 * took more work than the scope allows, nothing new is looked at.
 */
export class Exploration {
  readonly #scope: Scope;
  readonly #work: Work;
  readonly #chains = new Chains();
  readonly #steps: ExploredSteps;
  readonly #names = new ServerNameIndex();
  readonly #heard = new Map<string, Exchanged>();
  readonly #askers = new Map<string, ExploredVisit[]>();
  readonly #news: (() => void)[] = [];
  readonly #policy: Policy;
  /** Addresses that a path has met under a name that is denied. */
  readonly #deniedServers = new Set<string>();
  readonly #denied = new Map<string, WantedQuery>();
  #wanted: WantedQuery[] = [];

  constructor(scope: Scope, policy = DENY_NOTHING) {
    this.#scope = scope;
    this.#policy = policy;
    this.#work = new Work(scope.maxWork);
    this.#steps = new ExploredSteps(this.#work);
    const start = this.#steps.at(this.#chains.root(scope.hints), scope.question, [scope.question.name]);
    if (start !== undefined) this.#reach(start, 0);
    this.#settle();
  }

  /** The questions that became known since the last call, breadth first. */
  takeWanted(): readonly WantedQuery[] {
    const wanted = this.#wanted;
    this.#wanted = [];
    return wanted;
  }

  /** Takes in what came of a question. */
  learn(exchanged: Exchanged): void {
    const key = queryKey(exchanged);
    this.#heard.set(key, exchanged);
    for (const visit of this.#askers.get(key) ?? []) this.#hear(visit, exchanged);
    this.#settle();
  }

  /** By key: the questions that the policy forbids. */
  get denied(): ReadonlyMap<string, Query> {
    return this.#denied;
  }

  /** The names under which paths have met each address so far. */
  get serverNames(): ServerNames {
    return this.#names;
  }

  #settle(): void {
    for (const tell of this.#news) tell();
    this.#news.length = 0;
  }

  /** A path reaches the step at this depth. */
  #reach(step: ExploredStep, depth: number): void {
    if (depth > this.#scope.maxDepth || depth >= step.depth) return;
    const first = step.depth === Number.POSITIVE_INFINITY;
    step.depth = depth;
    if (first) {
      this.#open(step);
      return;
    }
    if (this.#work.spend(step.visits.size / ADDRESSES_PER_STEP) === 'exceeded') return;
    for (const lookup of step.lookups) this.#reach(lookup, depth + 1);
    for (const visit of step.visits.values()) this.#visit(visit);
  }

  #open(step: ExploredStep): void {
    for (const server of step.chain.delegation.nameservers) {
      const glue = glueFor(server, this.#scope.families);
      for (const address of glue) this.#offer(step, server.name, address, 0);
      if (glue.length > 0) continue;
      const start = chainForLookup(step.chain, server.name);
      if (start !== undefined) this.#lookUp(step, start, server.name);
    }
  }

  #lookUp(step: ExploredStep, start: Chain, name: Name): void {
    for (const { type } of lookupTypes(this.#scope.families)) {
      const lookup = this.#steps.at(start, { name, type }, [name]);
      if (lookup === undefined) return;
      step.lookups.push(lookup);
      const read = (address: string, height: number) => this.#offer(step, name, address, 1 + height);
      lookup.readers.push(read);
      for (const [address, height] of lookup.answers) read(address, height);
      this.#news.push(() => this.#reach(lookup, step.depth + 1));
    }
  }

  /** An address of one of the step's name servers, learnt at this height. */
  #offer(step: ExploredStep, name: Name, address: string, height: number): void {
    if (this.#work.spend(1 / ADDRESSES_PER_STEP) === 'exceeded') return;
    this.#names.add(name, address);
    if (this.#policy.deniesName(name)) this.#deniedServers.add(address);
    const known = step.visits.get(address);
    if (known !== undefined && known.height <= height) return;
    if (known !== undefined) {
      known.height = height;
      this.#visit(known);
      this.#passOn(known);
      return;
    }
    const visit: ExploredVisit = {
      step,
      address,
      height,
      state: 'offered',
      onward: undefined,
      gives: [],
    };
    step.visits.set(address, visit);
    this.#visit(visit);
  }

  /** Asks at this address if a path within the depth limit does, and goes on from what is known there. */
  #visit(visit: ExploredVisit): void {
    const { step } = visit;
    if (step.depth + visit.height > this.#scope.maxDepth || isBlocked(this.#scope, visit.address)) return;
    if (visit.state === 'offered') this.#want(visit);
    const { onward } = visit;
    if (onward !== undefined) this.#news.push(() => this.#reach(onward, step.depth + 1));
  }

  #want(visit: ExploredVisit): void {
    const { question, chain } = visit.step;
    const query = { address: visit.address, question };
    visit.state = 'asked';
    const key = queryKey(query);
    const askers = getOrMake(this.#askers, key, (): ExploredVisit[] => []);
    const heard = this.#heard.get(key);
    if (askers.length === 0 && heard === undefined) {
      const wanted = { ...query, key, zone: chain.delegation.zone };
      if (this.#isDenied(query)) this.#denied.set(key, wanted);
      else this.#wanted.push(wanted);
    }
    askers.push(visit);
    if (heard !== undefined) this.#hear(visit, heard);
  }

  #isDenied({ address, question }: Query): boolean {
    if (this.#deniedServers.has(address)) return true;
    return this.#policy.deniesAddress(address) || this.#policy.deniesName(question.name);
  }

  #hear(visit: ExploredVisit, exchanged: Exchanged): void {
    const { chain, question, walked } = visit.step;
    const meaning = meaningFor(exchanged, chain.delegation.zone);
    if (meaning.kind === 'answer') {
      visit.gives = addressesIn(meaning.records);
      this.#passOn(visit);
    }
    if (!leadsOn(meaning)) return;
    switch (meaning.kind) {
      case 'referral':
        this.#goOn(visit, this.#steps.at(this.#chains.extend(chain, meaning.delegation), question, walked));
        return;
      case 'alias':
        this.#followAlias(visit, meaning.target);
        return;
    }
  }

  #followAlias(visit: ExploredVisit, target: Name): void {
    const { chain, question, walked } = visit.step;
    if (walked !== 'not kept' && walked.includes(target)) return;
    const from = chainForAlias(chain, target, question.type);
    const next = walked === 'not kept' ? walked : [...walked, target];
    this.#goOn(visit, this.#steps.at(from, { name: target, type: question.type }, next));
  }

  #goOn(visit: ExploredVisit, onward: ExploredStep | undefined): void {
    if (onward === undefined) return;
    visit.onward = onward;
    onward.readers.push((address, height) =>
      this.#answer(visit.step, address, Math.max(visit.height, 1 + height)),
    );
    this.#passOn(visit);
    this.#visit(visit);
  }

  /** Hands what is known behind a visit back to its step. */
  #passOn(visit: ExploredVisit): void {
    const behind = visit.onward?.answers ?? NO_ANSWERS;
    if (this.#work.spend((visit.gives.length + behind.size) / ANSWERS_PER_STEP) === 'exceeded') return;
    for (const address of visit.gives) this.#answer(visit.step, address, visit.height);
    for (const [address, height] of behind) {
      this.#answer(visit.step, address, Math.max(visit.height, 1 + height));
    }
  }

  /** A walk from this step can end in an answer with this address. */
  #answer(step: ExploredStep, address: string, height: number): void {
    const known = step.answers.get(address);
    if (known !== undefined && known <= height) return;
    if (this.#work.spend(step.readers.length / ANSWERS_PER_STEP) === 'exceeded') return;
    step.answers.set(address, height);
    for (const reader of step.readers) this.#news.push(() => reader(address, height));
  }
}

const NO_ANSWERS: ReadonlyMap<string, number> = new Map();
