import { exploringWork, type Work, workOf, workOfAddress, workOfNameservers } from '../../base/work.ts';
import { INSECURE, type Trust } from '../../dns/dnssec/trust.ts';
import type { Validation } from '../../dns/dnssec/validation.ts';
import type { Question } from '../../dns/message.ts';
import { isBelow, type Name } from '../../dns/name.ts';
import type { Records } from '../../dns/record.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import { type Query, queryKey } from '../../exchange/query.ts';
import { lookupTypes } from '../addresses.ts';
import { meaningFor } from '../classify.ts';
import {
  type Chain,
  Chains,
  chainForAlias,
  chainForLookup,
  glueFor,
  hostsElsewhere,
  withTrust,
} from '../delegation.ts';
import {
  type AheadOfMinimised,
  arrivalAt,
  type FirstQuestion,
  type MainWalkKind,
  type MinimisedWalk,
  minimisedAt,
  ownSet,
  returnTo,
  roleOf,
  type StepRole,
  walksOf,
  wholeQuestion,
} from '../main-walks.ts';
import { leadsOn, type Meaning } from '../meaning.ts';
import { isChangedByPlan, plannedFor, plannedMeaning } from '../planned-delegations.ts';
import { plannedTrust } from '../planned-zones.ts';
import { DENY_NOTHING } from '../policy.ts';
import { PROFILES } from '../profiles/profiles.ts';
import { stageAfter } from '../profiles/reactions.ts';
import { isBlocked, type Scope } from '../recording.ts';
import { ServerNameIndex, type ServerNames } from '../server-names.ts';
import { Doubts } from './doubts.ts';
import {
  type ExploredStep,
  ExploredSteps,
  type ExploredVisit,
  LookupAnswers,
  type Walked,
} from './explored-steps.ts';
import { LookupFailures } from './lookup-failures.ts';
import { ReplyFeed } from './proving.ts';
import { Questions, type WantedQuery } from './questions.ts';
import { ValidatedSteps } from './validated-steps.ts';
import { type MainZone, ZoneQuestions } from './zone-questions.ts';

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
  readonly #questions: Questions;
  readonly #zones: ZoneQuestions | undefined;
  readonly #secured: ValidatedSteps | undefined;
  readonly #answers: LookupAnswers;
  readonly #lookupTroubles: LookupFailures;
  readonly #doubts: Doubts;
  readonly #news: (() => void)[] = [];
  readonly #starts: readonly ExploredStep[];

  constructor(scope: Scope, policy = DENY_NOTHING, kind: MainWalkKind = 'cold') {
    this.#scope = scope;
    this.#doubts = new Doubts(scope);
    this.#questions = new Questions(scope, policy, this.#names);
    this.#work = exploringWork(scope);
    this.#steps = new ExploredSteps(this.#work);
    this.#answers = new LookupAnswers(this.#work, (tell) => this.#news.push(tell));
    const { question, hints, dnssec, check } = scope;
    const meetsZones = check === 'on' && (kind === 'warm' || kind === 'delegated');
    this.#zones = meetsZones ? new ZoneQuestions(scope.families, exploringWork(scope)) : undefined;
    const validation = kind === 'validating' ? dnssec?.validation : undefined;
    this.#lookupTroubles = new LookupFailures(scope.families);
    this.#secured = validation && this.#securedSteps(validation);
    const root = dnssec && validation ? withTrust(hints, dnssec.anchors) : hints;
    this.#starts = walksOf(kind, scope).flatMap((start) => {
      const role = roleOf(start);
      return this.#arrive(this.#chains.root(root), question, [question.name], role) ?? [];
    });
    for (const start of this.#starts) this.#reach(start, 0);
    this.#settle();
  }

  /** The questions that became known since the last call, breadth first. */
  takeWanted(): readonly WantedQuery[] {
    return this.#questions.take();
  }

  /** The questions about the zones on the way that became known since the last call, if this walk leads to any. */
  takeZoneQuestions(): readonly WantedQuery[] {
    const allowed = (this.#zones?.take() ?? []).filter((query) => this.#questions.mayAsk(query));
    return allowed.map((query) => ({ ...query, key: queryKey(query), links: 0, place: 0 }));
  }

  /** The zones of the main walk that are known so far, if questions about them are to be asked. */
  get mainZones(): readonly MainZone[] {
    return this.#zones?.zones ?? [];
  }

  /** The steps of the main walk that are known so far, apex questions and walks with minimised names aside. */
  get mainSteps(): readonly MainStep[] {
    const steps = new Set<ExploredStep>(this.#starts);
    // Iterating over a set also visits the steps added on the way.
    for (const { visits, ahead } of steps) {
      if (ahead !== undefined) steps.add(ahead);
      for (const { onward } of visits.values()) for (const step of onward) steps.add(step);
    }
    return [...steps].flatMap(({ chain, question, role, visits }) =>
      role.kind === 'apex' || role.kind === 'minimised'
        ? []
        : [{ zone: chain.delegation.zone, question, addresses: [...visits.keys()] }],
    );
  }

  /** Takes in what came of a question. */
  learn(exchanged: Exchanged): void {
    for (const visit of this.#questions.hear(exchanged)) this.#hear(visit, exchanged);
    this.#settle();
  }

  /** Takes in another alias that an address gave when it was asked again: paths also go on there. */
  learnAlias(again: Exchanged): void {
    for (const visit of this.#questions.hearAgain(again)) this.#hearAgain(visit, again);
    this.#settle();
  }

  /** Whether some path known so far contains the question with this key. */
  contains(key: string): boolean {
    return this.#questions.has(key);
  }

  /** Whether the question may be put to the address now. */
  mayAsk(query: Query): boolean {
    return this.#questions.mayAsk(query);
  }

  /** By key: the questions that the policy forbids. */
  get denied(): ReadonlyMap<string, Query> {
    return this.#questions.denied;
  }

  /** The names under which paths have met each address so far. */
  get serverNames(): ServerNames {
    return this.#names;
  }

  /** Whether there was more to look at than the work allows. */
  get exceedsWork(): boolean {
    return this.#work.exceeded;
  }

  /** Whether that may be so where the same is heard in another order, which can take more work. */
  get mayExceedWork(): boolean {
    return this.#work.isMoreThan(1 / 4);
  }

  #securedSteps(validation: Validation): ValidatedSteps {
    return new ValidatedSteps({
      validation,
      plannedTrust: (zone) => this.#plannedTrust(zone),
      families: this.#scope.families,
      work: this.#work,
      lookups: this.#lookupTroubles,
      stepAt: (chain, question, listener) => {
        const step = this.#steps.at(chain, question, [], { kind: 'proof', replies: new ReplyFeed() });
        if (step?.role.kind === 'proof') step.role.replies.listen(listener);
        return step;
      },
      reach: (step, depth) => this.#news.push(() => this.#reach(step, depth)),
    });
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
    const { trust } = step.chain.delegation;
    if (step.role.kind === 'validating' && trust?.kind === 'secure')
      this.#secured?.reach(step.chain, trust, depth);
    if (first) {
      this.#open(step);
      return;
    }
    if (this.#work.spend(workOf('address', step.visits.size)) === 'exceeded') return;
    if (step.ahead !== undefined) this.#reach(step.ahead, depth);
    for (const lookup of step.lookups) this.#reach(lookup, depth + 1);
    for (const visit of step.visits.values()) this.#visit(visit);
  }

  /** The step that a walk comes to from above. */
  #arrive(chain: Chain, ahead: Question, walked: Walked, before: StepRole): ExploredStep | undefined {
    const { question, role } = arrivalAt(chain.delegation.zone, ahead, before);
    return this.#steps.at(chain, question, walked, role);
  }

  #open(step: ExploredStep): void {
    if (isOfZones(step.role)) this.#zones?.meet(step.chain.delegation);
    if (step.role.kind === 'apex') this.#goAhead(step, step.role.ahead);
    const { nameservers } = step.chain.delegation;
    if (this.#work.spend(workOfNameservers(nameservers.length)) === 'exceeded') return;
    for (const server of nameservers) {
      const glue = glueFor(server, this.#scope.families);
      for (const address of glue) this.#offer(step, server.name, address, 0);
      if (glue.length > 0) continue;
      const start = chainForLookup(step.chain, server.name);
      if (start !== undefined) this.#lookUp(step, start, server.name);
      else if (step.role.kind === 'cold') this.#lookupTroubles.lacks(step);
    }
    if (this.#doubts.meet(step)) this.#lookUpHosts(step);
  }

  /** Resolvers do not all take the addresses that referrals bring of names elsewhere: svc-model(7), PROFILES. */
  #lookUpHosts(step: ExploredStep): void {
    const { chain } = step;
    for (const server of hostsElsewhere(chain.delegation, this.#scope.families)) {
      const start = chainForLookup(chain, server.name);
      if (start !== undefined) this.#lookUp(step, start, server.name);
    }
  }

  /** What a walk asks where no own set is heard of, or none of use, is explored in any case: another recording may need it. */
  #goAhead(step: ExploredStep, { question, role }: FirstQuestion): void {
    step.ahead = this.#steps.at(step.chain, question, step.walked, role);
    const { ahead } = step;
    if (ahead !== undefined) this.#news.push(() => this.#reach(ahead, step.depth));
  }

  #lookUp(step: ExploredStep, start: Chain, name: Name): void {
    for (const { type } of lookupTypes(this.#scope.families)) {
      const lookup = this.#steps.at(start, { name, type }, [name], COLD);
      if (lookup === undefined) return;
      step.lookups.push(lookup);
      this.#answers.read(lookup, (address, height) => this.#offer(step, name, address, 1 + height));
      this.#news.push(() => this.#reach(lookup, step.depth + 1));
    }
  }

  /** An address of one of the step's name servers, learnt at this height. */
  #offer(step: ExploredStep, name: Name, address: string, height: number): void {
    if (this.#work.spend(workOf('address', 1)) === 'exceeded') return;
    this.#names.add(name, address);
    this.#questions.meet(name, address);
    const known = step.visits.get(address);
    if (known !== undefined && known.height <= height) return;
    if (known !== undefined) {
      known.height = height;
      this.#visit(known);
      this.#answers.passOn(known);
      return;
    }
    if (this.#work.spend(workOfAddress(step.visits.size)) === 'exceeded') return;
    const visit: ExploredVisit = {
      step,
      address,
      height,
      state: 'offered',
      onward: NO_STEPS,
      gives: NO_RECORDS,
    };
    step.visits.set(address, visit);
    this.#visit(visit);
  }

  /** Asks at this address if a path within the depth limit does, and goes on from what is known there. */
  #visit(visit: ExploredVisit): void {
    const { step } = visit;
    if (step.depth + visit.height > this.#scope.maxDepth || isBlocked(this.#scope, visit.address)) return;
    if (visit.state === 'offered') this.#want(visit);
    for (const onward of visit.onward) {
      const levels = addsToDepth(step, onward) ? 1 : 0;
      this.#news.push(() => this.#reach(onward, step.depth + levels));
    }
  }

  #want(visit: ExploredVisit): void {
    const { chain, role } = visit.step;
    if (role.kind === 'proof' && this.#work.spend(workOf('proofQuestion', 1)) === 'exceeded') return;
    visit.state = 'asked';
    if (isOfZones(role)) this.#zones?.reach(chain.delegation.zone, visit.address);
    const heard = this.#questions.ask(visit);
    if (heard === undefined) return;
    this.#hear(visit, heard);
    for (const again of this.#questions.heardAgain(visit)) this.#hearAgain(visit, again);
  }

  #hearAgain(visit: ExploredVisit, again: Exchanged): void {
    const { kind } = visit.step.role;
    if (kind === 'apex' || kind === 'proof') return;
    const before = visit.onward;
    this.#hear(visit, again);
    visit.onward = [...new Set([...before, ...visit.onward])];
  }

  #hear(visit: ExploredVisit, exchanged: Exchanged): void {
    const { role, chain } = visit.step;
    for (const step of this.#doubts.hear(visit, exchanged)) this.#lookUpHosts(step);
    // Only who validates can compare what a zone wants with the DS records and the keys.
    if (isOfZones(role) && this.#scope.dnssec !== undefined)
      this.#zones?.hear(chain.delegation.zone, exchanged);
    switch (role.kind) {
      case 'apex':
        this.#hearOwnSet(visit, exchanged, role.ahead);
        return;
      case 'proof':
        role.replies.hear(exchanged);
        return;
      case 'minimised':
        if (role.ahead === undefined) this.#lead(visit, this.#meaningOf(visit, exchanged));
        else this.#hearMinimised(visit, exchanged, role, role.ahead);
        return;
      case 'validating':
        this.#hearWithProof(visit, exchanged);
        return;
      case 'cold':
      case 'delegated':
      case 'warm': {
        const meaning = this.#meaningOf(visit, exchanged);
        if (this.#secured !== undefined) this.#lookupTroubles.hear(visit.step, visit.address, meaning);
        this.#hearWithoutProof(visit, meaning);
        return;
      }
    }
  }

  #hearWithoutProof(visit: ExploredVisit, meaning: Meaning): void {
    if (meaning.kind === 'answer') this.#answers.give(visit, meaning.records);
    this.#lead(visit, meaning);
  }

  /** Goes on where a reply leads to that means this. */
  #lead(visit: ExploredVisit, meaning: Meaning, trust?: Trust): void {
    if (!leadsOn(meaning)) return;
    const { chain, question, walked, role } = visit.step;
    switch (meaning.kind) {
      case 'referral': {
        const delegation = trust === undefined ? meaning.delegation : withTrust(meaning.delegation, trust);
        const ahead = wholeQuestion(question, role);
        this.#goOn(visit, this.#arrive(this.#chains.extend(chain, delegation), ahead, walked, role));
        return;
      }
      case 'alias':
        this.#followAlias(visit, meaning.target);
        return;
    }
  }

  /** svc-model(7), VALIDATING: below an insecure delegation nothing is validated. */
  #hearWithProof(visit: ExploredVisit, exchanged: Exchanged): void {
    const { chain } = visit.step;
    const { zone, trust } = chain.delegation;
    const meaning = this.#meaningOf(visit, exchanged);
    const said = meaningFor(exchanged, zone);
    if (trust?.kind !== 'secure') {
      this.#lead(visit, meaning, INSECURE);
      return;
    }
    const planned = meaning.kind === 'referral' ? this.#plannedTrust(meaning.delegation.zone) : undefined;
    if (isChangedByPlan(meaning, said)) {
      this.#lead(visit, meaning, planned ?? INSECURE);
      return;
    }
    this.#secured?.validate(chain, trust, exchanged, (proven) => {
      this.#lead(visit, meaning === said ? proven.meaning : meaning, planned ?? proven.trust ?? INSECURE);
    });
  }

  #plannedTrust(zone: Name): Trust | undefined {
    return plannedTrust(zone, this.#scope.plannedDs);
  }

  /**
   * A referral to a zone above a planned one tells how to take what others said: they are heard again, and
   * at most the new servers have been asked in vain.
   */
  #meaningOf(visit: ExploredVisit, exchanged: Exchanged): Meaning {
    const { chain, question, meanings, visits } = visit.step;
    const meaning = meaningFor(exchanged, chain.delegation.zone);
    const planned = plannedFor(this.#scope.planned ?? [], chain.delegation.zone, question);
    if (planned === undefined || meanings.get(visit) === meaning)
      return plannedMeaning(planned, meaning, meanings.values());
    meanings.set(visit, meaning);
    if (meaning.kind === 'referral' && isBelow(planned.zone, meaning.delegation.zone)) {
      for (const other of visits.values()) {
        const heard = meanings.has(other) && other !== visit ? this.#questions.heard(other) : undefined;
        if (heard !== undefined) this.#hear(other, heard);
      }
    }
    return plannedMeaning(planned, meaning, meanings.values());
  }

  #hearOwnSet(visit: ExploredVisit, exchanged: Exchanged, { question, role }: FirstQuestion): void {
    const { chain, walked } = visit.step;
    const own = ownSet(exchanged, chain.delegation);
    if (own === undefined) return;
    const from = this.#chains.replaceLast(chain, own);
    this.#goOn(visit, this.#steps.at(from, question, walked, role));
  }

  /** A minimised name leads to a referral, or to a longer name, as far as some resolver goes on with such a reply. */
  #hearMinimised(
    visit: ExploredVisit,
    exchanged: Exchanged,
    walk: MinimisedWalk,
    { whole, stage }: AheadOfMinimised,
  ): void {
    const { chain, walked } = visit.step;
    const meaning = this.#meaningOf(visit, exchanged);
    if (meaning.kind === 'referral') {
      this.#lead(visit, meaning);
      return;
    }
    const next = new Set(walk.styled.names.map((name) => stageAfter(PROFILES[name], meaning, exchanged)));
    for (const kind of ['next-label', 'whole-name'] as const) {
      if (!next.has(kind)) continue;
      const ahead = { whole, stage: kind === 'next-label' ? stage + 1 : Number.POSITIVE_INFINITY };
      const { question, role } = minimisedAt(chain.delegation.zone, ahead, walk);
      this.#goOn(visit, this.#steps.at(chain, question, walked, role));
    }
  }

  #followAlias(visit: ExploredVisit, target: Name): void {
    const { chain, question, walked, role } = visit.step;
    if (walked !== 'not kept' && walked.includes(target)) return;
    const from = chainForAlias(chain, target, question.type);
    const next = walked === 'not kept' ? walked : [...walked, target];
    const again = returnTo(from.delegation.zone, { name: target, type: question.type }, role);
    this.#goOn(visit, this.#steps.at(from, again.question, next, again.role));
  }

  #goOn(visit: ExploredVisit, onward: ExploredStep | undefined): void {
    if (onward === undefined || visit.onward.includes(onward)) return;
    const { kind } = visit.step.role;
    visit.onward = kind === 'validating' || kind === 'minimised' ? [...visit.onward, onward] : [onward];
    this.#answers.goOn(visit, onward);
    this.#visit(visit);
  }
}

/** A step of the main walk: the question, and the addresses of the zone that it may be put to. */
export interface MainStep {
  readonly zone: Name;
  readonly question: Question;
  readonly addresses: readonly string[];
}

const COLD: StepRole = { kind: 'cold' };

const NO_RECORDS: Records = [];
const NO_STEPS: readonly ExploredStep[] = [];

/** Apex questions, and minimised ones at the same servers, add nothing to the depth. */
function addsToDepth({ role, chain }: ExploredStep, onward: ExploredStep): boolean {
  if (role.kind === 'minimised' && role.ahead !== undefined) return onward.chain !== chain;
  return role.kind !== 'apex';
}

/** Whether a step is one of a main walk that leads to questions about zones. */
function isOfZones(role: StepRole): boolean {
  const { kind } = role.kind === 'apex' ? role.ahead.role : role;
  return kind === 'warm' || kind === 'delegated';
}
