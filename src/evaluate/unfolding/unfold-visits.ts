import { getOrMake } from '../../base/memo.ts';
import { workOf } from '../../base/work.ts';
import type { Trust } from '../../dns/dnssec/trust.ts';
import type { Question } from '../../dns/message.ts';
import type { Name } from '../../dns/name.ts';
import type { Records } from '../../dns/record.ts';
import { type Chain, chainForAlias, enclosing, withTrust } from '../../explore/delegation.ts';
import {
  arrivalAt,
  type FirstQuestion,
  minimisedAt,
  ownSet,
  returnTo,
  type StepRole,
  wholeQuestion,
} from '../../explore/main-walks.ts';
import { leadsOn, type Meaning } from '../../explore/meaning.ts';
import type { Onward, ServerState, Step, Visit, Walk } from '../step.ts';
import type { Context, Descent, Footprint } from './footprint.ts';
import type { UnfoldingFacts } from './unfolding-facts.ts';

/** Says what becomes of paths that pick an address at a step: svc-model(7), WALKING A STEP 4. */
export class VisitUnfolder {
  readonly #facts: UnfoldingFacts;
  readonly #unfolder: Unfolder;

  constructor(facts: UnfoldingFacts, unfolder: Unfolder) {
    this.#facts = facts;
    this.#unfolder = unfolder;
  }

  /** Visits the addresses that there are to pick from, and keeps each visit in `visits`. */
  visitAll(
    current: StepInProgress,
    picks: readonly string[],
    state: ServerState,
    visits: Map<string, Visit>,
  ): void {
    if (picks.length === 0) return;
    this.#unfolder.spend(picks.length);
    const { question, chain } = current;
    const replies = this.#facts.replies.at({ zone: chain.delegation.zone, question, state }, picks);
    for (const address of picks) {
      if (this.#unfolder.isTooMuch) break;
      let visit = visits.get(address);
      if (visit === undefined) {
        const heard = replies.from(address);
        visit = goesOn(heard, current) ? { ...heard, onward: this.#after(current, heard) } : heard;
      }
      this.#unfolder.spend(answerWork(visit));
      visits.set(address, visit);
    }
  }

  /** Where paths go on after a reply with this meaning; `trust`: in the zone that a referral leads to. */
  onward(current: StepInProgress, meaning: Meaning, trust?: Trust): Onward {
    if (!leadsOn(meaning)) return { kind: 'end' };
    switch (meaning.kind) {
      case 'referral': {
        const { chain, question, role, context } = current;
        const delegation = trust === undefined ? meaning.delegation : withTrust(meaning.delegation, trust);
        const further = {
          ...arrivalAt(delegation.zone, wholeQuestion(question, role), role),
          chain: this.#facts.chains.extend(chain, delegation),
          context: { ...context, depth: context.depth + 1 },
        };
        return { kind: 'walk', walk: this.#unfolder.walk(current, further, ONE_DEEPER) };
      }
      case 'alias':
        return this.#followAlias(current, meaning.target);
    }
  }

  /** After an apex question that brings no own set, the delegation stands. */
  otherwise(current: StepInProgress): Walk | undefined {
    const { chain, role } = current;
    return role.kind === 'apex' ? this.#goAhead(current, chain, role.ahead) : undefined;
  }

  /** After a minimised name, where replies do not refer to another zone: the next longer name, and the whole one. */
  minimised({ role, ...at }: StepInProgress): Step['minimised'] {
    if (role.kind !== 'minimised' || role.ahead === undefined) return undefined;
    const { zone } = at.chain.delegation;
    const { whole, stage } = role.ahead;
    const nextLabel = this.#ask({ role, ...at }, minimisedAt(zone, { whole, stage: stage + 1 }, role));
    const last = { whole, stage: Number.POSITIVE_INFINITY };
    return { nextLabel, wholeName: this.#ask({ role, ...at }, minimisedAt(zone, last, role)) };
  }

  #after(current: StepInProgress, { exchanged, meaning }: AskedVisit): Onward {
    const { chain, role } = current;
    if (role.kind !== 'apex') return this.onward(current, meaning);
    const own = ownSet(exchanged, chain.delegation);
    const at = own === undefined ? chain : this.#facts.chains.replaceLast(chain, own);
    if (at !== chain) this.#facts.ownSets.add(at);
    const walk = this.#goAhead(current, at, role.ahead);
    return { kind: own === undefined ? 'walk' : 'own-set', walk };
  }

  /** Asks what a warm walk comes to after the apex question. */
  #goAhead(current: StepInProgress, chain: Chain, ahead: FirstQuestion): Walk {
    return this.#ask({ ...current, chain }, ahead);
  }

  /** Asks something else at servers of the same zone. */
  #ask(current: StepInProgress, first: FirstQuestion): Walk {
    const { chain, context } = current;
    return this.#unfolder.walk(current, { chain, context, ...first }, AS_DEEP);
  }

  #followAlias(current: StepInProgress, target: Name): Onward {
    const { bits, cuts } = this.#facts;
    const { chain, question, role, context, footprint } = current;
    const bit = bits.walked(target);
    if (isSo(bit, current)) return { kind: 'alias-loop', target };
    const from = chainForAlias(chain, target, question.type);
    if (from !== chain) footprint.cuts |= cuts.made(chain, target, enclosing(question.type), from);
    const further = {
      chain: from,
      ...returnTo(from.delegation.zone, { name: target, type: question.type }, role),
      context: { depth: context.depth + 1, facts: context.facts | bit },
    };
    return { kind: 'walk', walk: this.#unfolder.walk(current, further, { ...ONE_DEEPER, decided: bit }) };
  }
}

const ONE_DEEPER = { levels: 1, decided: 0n, walk: 'same' } as const;
/** The descent to a step that asks further at the same depth. */
export const AS_DEEP = { levels: 0, decided: 0n, walk: 'same' } as const;

type AskedVisit = Extract<Visit, { kind: 'asked' }>;

/** Whether a path goes on from a visit. After an apex question every path does; after a minimised name a referral is followed. */
function goesOn(visit: Visit, { role }: StepInProgress): visit is AskedVisit {
  if (visit.kind !== 'asked') return false;
  if (role.kind === 'minimised' && role.ahead !== undefined) return visit.meaning.kind === 'referral';
  return role.kind === 'apex' || leadsOn(visit.meaning);
}

/** A step, and how a path comes to it. */
export interface PathToStep {
  readonly chain: Chain;
  readonly question: Question;
  readonly role: StepRole;
  readonly context: Context;
}

/** A step that is being unfolded; its footprint grows with what is looked at. */
export interface StepInProgress extends PathToStep {
  readonly footprint: Footprint;
}

/** Whether a lookup is pending, or a name was asked earlier on this walk; the footprint keeps that this was looked at. */
export function isSo(bit: bigint, { context, footprint }: StepInProgress): boolean {
  const isSet = (context.facts & bit) !== 0n;
  if (isSet) footprint.set |= bit;
  else footprint.clear |= bit;
  return isSet;
}

/** Unfolds the steps that the step being unfolded leads to. */
export interface Unfolder {
  /**
   * The walk from a step on to another: "having come through these delegations, ask this". Adds the facts that the
   * other step depends on to the footprint of the first, except those that `descent` decides for it.
   */
  walk(from: StepInProgress, to: PathToStep, descent: Descent): Walk;
  /** Takes note of work. */
  spend(steps: number): void;
  /** Whether the work spent is more than there may be: everything returned is void then. */
  readonly isTooMuch: boolean;
}

/** How much work, in steps, it is to keep the answer that a path ends in after a visit; 0 for no answer. */
export function answerWork(visit: Visit): number {
  if (visit.kind !== 'asked' || visit.meaning.kind !== 'answer') return 0;
  const { records } = visit.meaning;
  return workOf(
    'answerCharacter',
    getOrMake(known, records, () => lengthOf(records)),
  );
}

/** Paths meet the same answer in many places. */
const known = new WeakMap<Records, number>();

/** Characters of JSON around the texts of a record, about. */
const AROUND = 45;

function lengthOf(records: Records): number {
  let length = 0;
  for (const { name, type, data } of records) length += name.length + type.length + data.length + AROUND;
  return length;
}
