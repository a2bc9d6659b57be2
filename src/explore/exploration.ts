import { type Exchanged, type Query, queryKey } from '../exchanged.ts';
import type { Name } from '../wire/name.ts';
import { type Question, questionKey } from '../wire/question.ts';
import { addressesIn } from './addresses.ts';
import { type Chain, Chains, chainForAlias, chainForLookup } from './chain.ts';
import { classify } from './classify.ts';
import { glueFor } from './delegation.ts';
import { type ExploredStep, type ExploredVisit, newExploredStep, type Walked } from './explored-step.ts';
import { lookupTypes } from './lookup-types.ts';
import { isBlocked, type Scope } from './recording.ts';

/** A question that a path needs asked, and the zone of the step that needed it first. */
export interface WantedQuery extends Query {
  readonly key: string;
  readonly zone: Name;
}

/**
 * Which questions must be asked, given what was heard so far: the core of exploring, without I/O.
 *
 * It follows all paths at once over distinct explored steps: a step together with the names
 * that its walk asked before (they decide what is an alias loop). Depth is kept exactly without
 * multiplying steps: each knows the least depth at which a path reaches it, and each address the
 * least height (levels below its step) that a path needs to learn it; an exchange is wanted as soon
 * as depth + height is within the maximum. Both only ever fall, so news is passed on until nothing
 * changes. Pending lookups are not looked at: MODEL 1 allows to ask what only they would hide.
 */
export class Exploration {
  readonly #scope: Scope;
  readonly #chains = new Chains();
  readonly #steps = new Map<Chain, Map<string, ExploredStep>>();
  readonly #heard = new Map<string, Exchanged>();
  readonly #askers = new Map<string, ExploredVisit[]>();
  readonly #news: (() => void)[] = [];
  #wanted: WantedQuery[] = [];
  #count = 0;

  constructor(scope: Scope) {
    this.#scope = scope;
    const start = this.#step(this.#chains.root(scope.hints), scope.question, [scope.question.name]);
    if (start !== undefined) this.#reach(start, 0);
  }

  /** The questions that became known since the last call, breadth first. */
  takeWanted(): readonly WantedQuery[] {
    this.#settle();
    const wanted = this.#wanted;
    this.#wanted = [];
    return wanted;
  }

  /** Takes in what came of a wanted question. */
  learn(exchanged: Exchanged): void {
    const key = queryKey(exchanged);
    this.#heard.set(key, exchanged);
    for (const visit of this.#askers.get(key) ?? []) this.#hear(visit, exchanged);
    this.#settle();
  }

  #settle(): void {
    for (const tell of this.#news) tell();
    this.#news.length = 0;
  }

  /** The explored step; undefined when there are as many as one traversal may have. */
  #step(chain: Chain, question: Question, walk: Walked): ExploredStep | undefined {
    const walked = this.#count < EXACT_STEPS ? walk : 'not kept';
    let steps = this.#steps.get(chain);
    if (steps === undefined) {
      steps = new Map();
      this.#steps.set(chain, steps);
    }
    const key =
      walked === 'not kept'
        ? questionKey(question)
        : `${questionKey(question)}\n${[...walked].sort().join(' ')}`;
    const known = steps.get(key);
    if (known !== undefined) return known;
    if (this.#count >= this.#scope.maxWork) return undefined;
    this.#count += 1;
    const step = newExploredStep(chain, question, walked);
    steps.set(key, step);
    return step;
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
    for (const lookup of step.lookups) this.#reach(lookup, depth + 1);
    for (const visit of step.visits.values()) this.#visit(visit);
  }

  #open(step: ExploredStep): void {
    for (const server of step.chain.delegation.nameservers) {
      const glue = glueFor(server, this.#scope.families);
      for (const address of glue) this.#offer(step, address, 0);
      if (glue.length > 0) continue;
      const start = chainForLookup(step.chain, server.name);
      if (start !== undefined) this.#lookUp(step, start, server.name);
    }
  }

  #lookUp(step: ExploredStep, start: Chain, name: Name): void {
    for (const { type } of lookupTypes(this.#scope.families)) {
      const lookup = this.#step(start, { name, type }, [name]);
      if (lookup === undefined) return;
      step.lookups.push(lookup);
      lookup.readers.push((address, height) => this.#offer(step, address, 1 + height));
      for (const [address, height] of lookup.answers) this.#offer(step, address, 1 + height);
      this.#news.push(() => this.#reach(lookup, step.depth + 1));
    }
  }

  /** An address of one of the step's name servers, learnt at this height. */
  #offer(step: ExploredStep, address: string, height: number): void {
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
    const askers = this.#askers.get(key);
    if (askers === undefined) {
      this.#askers.set(key, [visit]);
      this.#wanted.push({ ...query, key, zone: chain.delegation.zone });
      return;
    }
    askers.push(visit);
    const heard = this.#heard.get(key);
    if (heard !== undefined) this.#hear(visit, heard);
  }

  #hear(visit: ExploredVisit, exchanged: Exchanged): void {
    const { step } = visit;
    const { chain, question, walked } = step;
    const meaning = classify(exchanged.outcome, question, chain.delegation.zone);
    if (meaning.kind === 'answer') {
      visit.gives = addressesIn(meaning.records);
      this.#passOn(visit);
    } else if (meaning.kind === 'referral') {
      this.#goOn(visit, this.#step(this.#chains.extend(chain, meaning.delegation), question, walked));
    } else if (meaning.kind === 'alias') {
      const { target } = meaning;
      const from = chainForAlias(chain, target, question.type);
      const next = { name: target, type: question.type };
      if (walked === 'not kept') this.#goOn(visit, this.#step(from, next, walked));
      else if (!walked.includes(target)) this.#goOn(visit, this.#step(from, next, [...walked, target]));
    }
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
    for (const address of visit.gives) this.#answer(visit.step, address, visit.height);
    for (const [address, height] of visit.onward?.answers ?? []) {
      this.#answer(visit.step, address, Math.max(visit.height, 1 + height));
    }
  }

  /** A walk from this step can end in an answer with this address. */
  #answer(step: ExploredStep, address: string, height: number): void {
    const known = step.answers.get(address);
    if (known !== undefined && known <= height) return;
    step.answers.set(address, height);
    for (const reader of step.readers) this.#news.push(() => reader(address, height));
  }
}

/**
 * From this number of steps on, the names walked are no longer kept apart: hostile aliases could
 * multiply their sets without end. What it costs: a question may be asked that only a path through an
 * alias loop would need. The evaluation stays exact.
 */
const EXACT_STEPS = 10_000;
